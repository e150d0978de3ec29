import PanelLinux
import Units

/// Models a PCF8574 in front of a display, on a slow I2C bus with faults.
final class BackpackModel {
  /// The display's signal at each pin.
  struct Wiring {
    var data: [Int]
    var registerSelect: Int
    var readWrite: Int
    var enable: Int
    var light: Int
    var pins: BackpackPins

    static let usual = Wiring(
      data: [4, 5, 6, 7], registerSelect: 0, readWrite: 1, enable: 2, light: 3, pins: .usual)
    static let dataFirst = Wiring(
      data: [0, 1, 2, 3], registerSelect: 4, readWrite: 5, enable: 6, light: 7, pins: .dataFirst)
  }

  let display: Hd44780Model
  let hertz: Int
  private let wiring: Wiring
  private var port: UInt8 = 0xFF
  private(set) var isPlugged = true

  /// The current time and the bus time in nanoseconds.
  var now: Int64 = 0
  private(set) var busTime: Int64 = 0
  /// Bytes on the bus, including addresses.
  private(set) var byteCount = 0
  /// Index of a byte without acknowledgement. `takesIt`: true if the byte still arrives.
  var failure: (byte: Int, takesIt: Bool)?
  /// The byte returned by every read; nil for the real state.
  var lie: UInt8?

  init(_ display: Hd44780Model, _ wiring: Wiring = .usual, hertz: Int = 100_000) {
    self.display = display
    self.wiring = wiring
    self.hertz = hertz
  }

  var isLit: Bool { port >> wiring.light & 1 == 1 }

  /// The driver's port. `believed`: a bus speed in hertz that may differ from the real one.
  func port(believed: Int? = nil, isRead: Bool = true) -> DisplayPort {
    DisplayPort(
      pins: wiring.pins, hertz: believed ?? hertz, write: { (bytes) throws(HardwareError) in try self.write(bytes) },
      read: isRead ? { () throws(HardwareError) in try self.read() } : nil)
  }

  func unplug() { isPlugged = false }

  func plug() {
    isPlugged = true
    port = 0xFF
    display.power(at: now, pins: pins)
  }

  private var pins: Hd44780Model.Pins {
    func bit(_ pin: Int) -> UInt8 { port >> pin & 1 }
    return Hd44780Model.Pins(
      isData: bit(wiring.registerSelect) == 1, isRead: bit(wiring.readWrite) == 1, isEnabled: bit(wiring.enable) == 1,
      data: (0..<4).reduce(0) { $0 | bit(wiring.data[$1]) << UInt8($1) })
  }

  private func pass(bits: Int) {
    let time = Int64(bits) * 1_000_000_000 / Int64(hertz)
    now += time
    busTime += time
  }

  /// Sends one byte. `arrives`: true if the chip receives the byte.
  private func transfer() -> (arrives: Bool, isAcknowledged: Bool) {
    pass(bits: 9)
    byteCount += 1
    guard isPlugged else { return (false, false) }
    guard let failure, failure.byte == byteCount - 1 else { return (true, true) }
    return (failure.takesIt, false)
  }

  private func fail() -> HardwareError {
    pass(bits: 1)
    display.becomeStrange()
    return .noAnswer(bus: "the model", address: 0x27)
  }

  private func write(_ bytes: [UInt8]) throws(HardwareError) {
    pass(bits: 1)
    guard transfer().isAcknowledged else { throw fail() }
    for byte in bytes {
      let (arrives, isAcknowledged) = transfer()
      if arrives {
        port = byte
        display.set(pins, at: now)
      }
      guard isAcknowledged else { throw fail() }
    }
    pass(bits: 1)
  }

  private func read() throws(HardwareError) -> UInt8 {
    pass(bits: 1)
    guard transfer().isAcknowledged, transfer().isAcknowledged else { throw fail() }
    pass(bits: 1)
    return lie ?? port
  }
}
