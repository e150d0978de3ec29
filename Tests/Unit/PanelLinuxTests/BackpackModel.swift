import PanelLinux
import Units

/// A PCF8574 on an I2C bus that takes its time, before a display; and what may go wrong with them.
final class BackpackModel {
  /// Which pin is which.
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

  /// The time, and how much of it the bus was busy, in nanoseconds.
  var now: Int64 = 0
  private(set) var busTime: Int64 = 0
  /// Bytes on the bus, addresses among them.
  private(set) var byteCount = 0
  /// The byte of that number is not acknowledged; `takesIt` tells whether it gets through all the same.
  var failure: (byte: Int, takesIt: Bool)?
  /// What is read is this.
  var lie: UInt8?

  init(_ display: Hd44780Model, _ wiring: Wiring = .usual, hertz: Int = 100_000) {
    self.display = display
    self.wiring = wiring
    self.hertz = hertz
  }

  var isLit: Bool { port >> wiring.light & 1 == 1 }

  /// The driver's way to it. It may believe that the bus is of another speed.
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

  /// A byte goes over the bus; whether it gets through, and whether that is acknowledged.
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
