import Glibc
import System
import Units

/// The pins before a display: each byte that is written is what they are for as long as a byte takes.
public struct DisplayPort {
  /// How the pins are wired.
  let pins: BackpackPins
  /// How many bytes more the pins have to stand still after an instruction, until the display is ready for the next.
  let padding: Int
  /// Writes pin levels, one after the other.
  let write: ([UInt8]) throws(HardwareError) -> Void
  /// Reads the pins' levels, where that can be done.
  let read: (() throws(HardwareError) -> UInt8)?

  /// What a display needs for an instruction: 37 µs, 4 µs more until its address counter follows, and half as much
  /// again with the slowest oscillator (HD44780U, tables 6 and "AC timing").
  private static let instruction = Duration(nanoseconds: 61_000)

  /// Pins behind an I2C bus of so many hertz, by calls: `write` is one transfer; `read` tells the pins, or is `nil`.
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

  /// A PCF8574. Where it can be read (`isRead`), a loss of power between two writes is noticed.
  public static func backpack(_ device: I2cDevice, pins: BackpackPins = .usual, isRead: Bool = true) -> DisplayPort {
    DisplayPort(
      pins: pins, hertz: device.hertz, write: { (bytes) throws(HardwareError) in try device.write(bytes) },
      read: isRead ? { () throws(HardwareError) in try device.read() } : nil)
  }

  /// GPIO lines in the order RS, E, D4, D5, D6, D7 and, where there is one, the light; R/W is wired to ground.
  public static func lines(_ outputs: GpioOutputs) -> DisplayPort {
    DisplayPort(pins: .lines, padding: 1, write: { (levels) throws(HardwareError) in try set(outputs, levels) })
  }

  private init(pins: BackpackPins, padding: Int, write: @escaping ([UInt8]) throws(HardwareError) -> Void) {
    self.pins = pins
    self.padding = padding
    self.write = write
    read = nil
  }

  /// Lines take a microsecond or so; those that stand still are given the time of an instruction.
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
