/// Converts instructions and data to pin levels, four bits at a time, in writes of limited length.
struct NibbleWriter {
  /// Maximum bytes per write: 6 ms at 100 kHz, so that other users of the bus do not wait long.
  private static let maxLength = 64

  let port: DisplayPort
  /// The pins after all pending writes; nil if unknown.
  private var level: UInt8?
  private var pending: [UInt8] = []
  private var isLit = false

  init(_ port: DisplayPort) {
    self.port = port
    pending.reserveCapacity(Self.maxLength)
  }

  mutating func forget() {
    level = nil
    pending.removeAll(keepingCapacity: true)
  }

  /// Lowers E, so that the next nibble is complete from any state.
  mutating func rest() throws(HardwareError) { try append(light, room: 1) }

  mutating func light(_ isOn: Bool) throws(HardwareError) {
    guard isOn != isLit else { return }
    isLit = isOn
    if let level { try append(level ^ port.pins.light, room: 1) }
  }

  /// Writes an instruction, or data for the address counter's position.
  mutating func put(_ byte: UInt8, isData: Bool) throws(HardwareError) {
    let base = light | (isData ? port.pins.registerSelect : 0)
    try make(room: 5 + port.padding)
    try select(base)
    strobe(base | port.pins.nibbles[Int(byte >> 4)])
    strobe(base | port.pins.nibbles[Int(byte & 15)])
    for _ in 0..<port.padding { pending.append(level ?? base) }
  }

  /// Writes only the upper half of an instruction, as 8-bit mode needs it.
  mutating func put(nibble: UInt8) throws(HardwareError) {
    try make(room: 3 + port.padding)
    try select(light)
    strobe(light | port.pins.nibbles[Int(nibble & 15)])
    for _ in 0..<port.padding { pending.append(level ?? light) }
  }

  mutating func flush() throws(HardwareError) {
    guard !pending.isEmpty else { return }
    try port.write(pending)
    pending.removeAll(keepingCapacity: true)
  }

  private var light: UInt8 { isLit ? port.pins.light : 0 }

  /// RS must be stable before E rises.
  private mutating func select(_ base: UInt8) throws(HardwareError) {
    if let level, (level ^ base) & port.pins.registerSelect == 0 { return }
    try append(base, room: 1)
  }

  private mutating func strobe(_ pins: UInt8) {
    pending.append(pins | port.pins.enable)
    pending.append(pins)
    level = pins
  }

  private mutating func append(_ pins: UInt8, room: Int) throws(HardwareError) {
    try make(room: room)
    pending.append(pins)
    level = pins
  }

  private mutating func make(room: Int) throws(HardwareError) {
    if pending.count + room > Self.maxLength { try flush() }
  }
}
