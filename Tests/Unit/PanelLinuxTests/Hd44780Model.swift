import Panel
import SeededRandom

/// The visible content of a cell: a ROM character, or the dots of a glyph.
enum Appearance: Hashable {
  case character(UInt8)
  case dots([UInt8])

  static let blank = Appearance.character(0x20)
}

extension DisplayFrame {
  var picture: [Appearance] {
    cells.map { code in
      guard code < 16 else { return .character(code) }
      let start = Int(code & 7) * 8
      return .dots(glyphs[start..<start + 8].map { $0 & 0x1F })
    }
  }
}

/// Models an HD44780U at its slowest oscillator frequency, and reports violations of the data sheet.
final class Hd44780Model {
  /// The pins except the backlight.
  struct Pins: Equatable {
    var isData = false
    var isRead = false
    var isEnabled = false
    var data: UInt8 = 0
  }

  let columns: Int
  let rows: Int
  private(set) var complaints: [String] = []
  /// Number of accepted instructions and data bytes. `onTaken` is called after each.
  private(set) var count = 0
  var onTaken: () -> Void = {}

  private var random: SeededGenerator
  private var pins = Pins()
  private var powered: Int64 = 0
  private var busyUntil: Int64 = 0
  /// True if the driver cannot know the state of the pins.
  private var isStrange = true
  /// True if the display has been cleared in its mode of four bits and two lines.
  private var isSettled = false
  /// Falling edges of E since power-on, and the time of the last one.
  private var falls = 0
  private var lastFall: Int64 = 0

  private var hasFourBits = false
  private var upper: UInt8?
  private var memory = [UInt8](repeating: 0, count: 128)
  private var shapes = [UInt8](repeating: 0, count: 64)
  private var address = 0
  private var isShapeAddress = false
  private var counts = 1
  private var shiftsDisplay = false
  private var isOn = false
  private var hasTwoLines = true
  private var shift = 0

  init(columns: Int, rows: Int, seed: UInt64) {
    self.columns = columns
    self.rows = rows
    random = SeededGenerator(seed)
    power(at: 0, pins: Pins(isData: true, isRead: true, isEnabled: true, data: 15))
  }

  /// Restarts in a random state, as the internal reset is unreliable.
  func power(at time: Int64, pins: Pins) {
    self.pins = pins
    powered = time
    busyUntil = time
    becomeStrange()
    falls = 0
    hasFourBits = Bool.random(using: &random)
    upper = Bool.random(using: &random) ? UInt8.random(in: .min ... .max, using: &random) : nil
    for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &random) }
    for index in shapes.indices { shapes[index] = UInt8.random(in: .min ... .max, using: &random) & 0x1F }
    isShapeAddress = Bool.random(using: &random)
    address = Int(UInt8.random(in: .min ... .max, using: &random) & 0x3F) % 0x28
    counts = Bool.random(using: &random) ? 1 : -1
    shiftsDisplay = Bool.random(using: &random)
    isOn = Bool.random(using: &random)
    hasTwoLines = Bool.random(using: &random)
    shift = Int(UInt8.random(in: .min ... .max, using: &random)) % 40
  }

  /// Marks the pins as unknown after an interrupted transfer.
  func becomeStrange() {
    isStrange = true
    isSettled = false
  }

  /// Changes all pins at once.
  func set(_ new: Pins, at time: Int64) {
    let old = pins
    pins = new
    if !old.isEnabled, new.isEnabled {
      if old.isData != new.isData || old.isRead != new.isRead { complain("RS or R/W moves while E rises", time) }
      if time < busyUntil { complain("written \(busyUntil - time) ns before it is ready", time) }
    }
    guard old.isEnabled, !new.isEnabled else { return }
    var taken = old
    if isStrange {
      if Bool.random(using: &random) { taken.data = new.data }
      if Bool.random(using: &random) { taken.isData = new.isData }
      if Bool.random(using: &random) { taken.isRead = new.isRead }
    } else {
      var still = new
      still.isEnabled = true
      if still != old { complain("pins move while E falls", time) }
      watchReset(time)
    }
    take(taken, time)
    isStrange = false
  }

  var picture: [Appearance] { (0..<columns * rows).map(appearance) }

  private func appearance(_ cell: Int) -> Appearance {
    guard isOn else { return .blank }
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    let place = (row / 2 * columns + column + shift + 40) % 40
    let code = memory[(row & 1) * 0x40 + place]
    guard code < 16 else { return .character(code) }
    let start = Int(code & 7) * 8
    return .dots(Array(shapes[start..<start + 8]))
  }

  // MARK: Internals

  private func complain(_ text: String, _ time: Int64) {
    if !isStrange, complaints.count < 20 { complaints.append("\(text), at \(time) ns") }
  }

  /// Checks the waits of "Initializing by Instruction".
  private func watchReset(_ time: Int64) {
    falls += 1
    let since = time - lastFall
    if falls == 1, time - powered < 40_000_000 { complain("begun \(time - powered) ns after power", time) }
    if falls == 2, since < 5_800_000 { complain("second step after \(since) ns", time) }
    if falls == 3, since < 142_000 { complain("third step after \(since) ns", time) }
    lastFall = time
  }

  private func take(_ pins: Pins, _ time: Int64) {
    guard hasFourBits else {
      return take(pins.data << 4 | UInt8.random(in: .min ... .max, using: &random) & 15, pins, time)
    }
    guard let high = upper else {
      upper = pins.data
      return
    }
    upper = nil
    take(high << 4 | pins.data, pins, time)
  }

  private func take(_ byte: UInt8, _ pins: Pins, _ time: Int64) {
    if pins.isRead { return }
    let isLong = !pins.isData && (1...3).contains(byte)
    // 1.52 ms or 37 µs at 270 kHz, plus 1.5 clocks of the address counter; here at 190 kHz.
    busyUntil = time + (isLong ? 2_160_000 : 60_500)
    if pins.isData { store(byte, time) } else { execute(byte, time) }
    count += 1
    onTaken()
  }

  private func execute(_ byte: UInt8, _ time: Int64) {
    switch byte {
    case 0x80...:
      isShapeAddress = false
      address = Int(byte & 0x7F)
      if isSettled, address % 0x40 > 0x27 { complain("address \(address) is none", time) }
    case 0x40...:
      isShapeAddress = true
      address = Int(byte & 0x3F)
    case 0x20...:
      hasFourBits = byte & 0x10 == 0
      hasTwoLines = byte & 0x08 != 0
      upper = nil
    case 0x10...:
      if byte & 0x08 != 0 { shift += byte & 0x04 != 0 ? -1 : 1 } else { step(byte & 0x04 != 0 ? 1 : -1) }
    case 0x08...: isOn = byte & 0x04 != 0
    case 0x04...:
      counts = byte & 0x02 != 0 ? 1 : -1
      shiftsDisplay = byte & 0x01 != 0
    case 0x02...: home()
    case 0x01:
      for index in memory.indices { memory[index] = 0x20 }
      counts = 1
      isSettled = hasFourBits && hasTwoLines
      home()
    default: break
    }
  }

  private func home() {
    isShapeAddress = false
    address = 0
    shift = 0
  }

  private func store(_ byte: UInt8, _ time: Int64) {
    if !isSettled { complain("written before it is cleared", time) }
    if isShapeAddress { shapes[address & 0x3F] = byte & 0x1F } else { memory[address & 0x7F] = byte }
    step(counts)
    if shiftsDisplay, !isShapeAddress { shift += counts }
  }

  private func step(_ by: Int) {
    address += by
    if isShapeAddress {
      address &= 0x3F
    } else {
      switch address {
      case 0x28: address = 0x40
      case 0x68: address = 0
      case -1: address = 0x67
      case 0x3F: address = 0x27
      default: break
      }
    }
  }
}
