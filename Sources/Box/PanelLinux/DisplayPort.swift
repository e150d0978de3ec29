import Glibc
import System
import Units

/// The pins of a display; each written byte sets their levels for the duration of a byte.
public struct DisplayPort {
  let pins: BackpackPins
  /// Number of extra bytes after an instruction, until the display is ready for the next.
  let padding: Int
  let write: ([UInt8]) throws(HardwareError) -> Void
  let read: (() throws(HardwareError) -> UInt8)?

  /// Time for an instruction: 37 µs, 4 µs until its address counter follows, and half as much again for the slowest
  /// oscillator (HD44780U, tables 6 and "AC timing").
  private static let instruction = Duration(nanoseconds: 61_000)

  /// Pins on an I2C bus with a clock in hertz: `write` is one transfer; `read` returns the pins, or is nil.
  public init(
    pins: BackpackPins, hertz: Int, write: @escaping ([UInt8]) throws(HardwareError) -> Void,
    read: (() throws(HardwareError) -> UInt8)?
  ) {
    precondition(hertz > 0 && hertz <= 5_000_000, "an I2C bus has up to 5 MHz")
    self.pins = pins
    self.write = write
    self.read = read
    // A byte has nine bits, and one byte raises E before it falls.
    padding = (Int(Self.instruction.nanoseconds) * hertz + 8_999_999_999) / 9_000_000_000 - 1
  }

  /// A PCF8574. If it can be read (`isRead`), a power loss between two writes is detected.
  public static func backpack(_ device: I2cDevice, pins: BackpackPins = .usual, isRead: Bool = true) -> DisplayPort {
    DisplayPort(
      pins: pins, hertz: device.hertz, write: { (bytes) throws(HardwareError) in try device.write(bytes) },
      read: isRead ? { () throws(HardwareError) in try device.read() } : nil)
  }

  /// GPIO lines in the order RS, E, D4, D5, D6, D7 and an optional backlight; R/W is wired to ground.
  public static func lines(_ outputs: GpioOutputs) -> DisplayPort {
    DisplayPort(pins: .lines, padding: 1, write: { (levels) throws(HardwareError) in try set(outputs, levels) })
  }

  private init(pins: BackpackPins, padding: Int, write: @escaping ([UInt8]) throws(HardwareError) -> Void) {
    self.pins = pins
    self.padding = padding
    self.write = write
    read = nil
  }

  /// Setting lines takes about a microsecond; unchanged lines wait for the time of an instruction.
  private static func set(_ outputs: GpioOutputs, _ levels: [UInt8]) throws(HardwareError) {
    var last: UInt8?
    for level in levels {
      if level == last {
        Clock.machine.sleep(until: Clock.machine.now() + instruction)
      } else {
        let error = outputs.set(UInt32(level))
        if error != 0 { throw .failed("Setting the display's GPIO lines", errno: error) }
      }
      last = level
    }
  }
}
