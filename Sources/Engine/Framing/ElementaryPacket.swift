/// Finds the stream's own bytes in a PES packet whose payload comes in pieces (ISO 13818-1 2.4.3.6).
struct ElementaryPacket {
  private enum Part {
    /// Nothing is read until a PES packet begins.
    case absent
    case head
    /// Fields of the head that nobody needs.
    case fields(rest: Int)
    /// The stream's bytes; nil where their number is not told.
    case body(rest: Int?)
  }

  /// Bytes of the head that precede the optional fields.
  private static var fixedByteCount: Int { 9 }
  private static var timeByteCount: Int { 5 }

  private var part = Part.absent
  private var head = [UInt8](repeating: 0, count: Self.fixedByteCount + Self.timeByteCount)
  private var headCount = 0

  /// When its first frame is due, in 90 kHz, 33 bits; nil where the head does not tell.
  private(set) var time: UInt64?
  /// Its body needs a key.
  private(set) var isScrambled = false
  /// Its body begins with a frame or a tag, as the head says.
  private(set) var isAligned = false
  /// Bytes of its body came.
  private(set) var hasBody = false

  /// Begins a packet; the last one is over, also where bytes of it are missing.
  mutating func begin() {
    drop()
    part = .head
  }

  /// Reads no more until the next packet begins.
  mutating func drop() {
    part = .absent
    headCount = 0
    time = nil
    (isScrambled, isAligned, hasBody) = (false, false, false)
  }

  /// Takes the payload that comes next, and says where in it the stream's own bytes lie.
  mutating func take(_ payload: Span<UInt8>) -> Range<Int> {
    var place = 0
    while place < payload.count {
      switch part {
      case .absent: return 0..<0
      case .head:
        head[headCount] = payload[place]
        headCount += 1
        place += 1
        if headCount == Self.fixedByteCount { readFixed() } else if headCount == head.count { readTime() }
      case .fields(let rest):
        let count = min(rest, payload.count - place)
        place += count
        part = rest == count ? .body(rest: bodyByteCount) : .fields(rest: rest - count)
      case .body(let rest):
        let count = min(rest ?? .max, payload.count - place)
        part = .body(rest: rest.map { $0 - count })
        hasBody = hasBody || count > 0
        return place..<place + count
      }
    }
    return 0..<0
  }

  private var fieldByteCount: Int { Int(head[8]) }

  /// Bytes of the body; nil where the head does not tell them, and below 0 where it contradicts itself.
  private var bodyByteCount: Int? {
    let told = Int(head[4]) << 8 | Int(head[5])
    return told == 0 ? nil : told - 3 - fieldByteCount
  }

  private mutating func readFixed() {
    guard head[0] == 0, head[1] == 0, head[2] == 1, Self.hasFields(head[3]), head[6] & 0xC0 == 0x80,
      (bodyByteCount ?? 0) >= 0
    else { return drop() }
    if head[6] & 0x30 != 0 {
      drop()
      isScrambled = true
      return
    }
    isAligned = head[6] & 0x04 != 0
    if head[7] & 0x80 != 0, fieldByteCount >= Self.timeByteCount { return }
    part = .fields(rest: fieldByteCount)
    passEmptyFields()
  }

  private mutating func readTime() {
    let (top, middle, low) = (UInt64(head[9] >> 1 & 7), number(at: 10), number(at: 12))
    // A bit that is always set ends each part.
    if head[9] & middle.marker & low.marker == 1 { time = top << 30 | middle.value << 15 | low.value }
    part = .fields(rest: fieldByteCount - Self.timeByteCount)
    passEmptyFields()
  }

  /// A number of 15 bits, and the bit behind it.
  private func number(at place: Int) -> (value: UInt64, marker: UInt8) {
    (UInt64(head[place]) << 7 | UInt64(head[place + 1] >> 1), head[place + 1] & 1)
  }

  private mutating func passEmptyFields() {
    if case .fields(rest: 0) = part { part = .body(rest: bodyByteCount) }
  }

  /// Whether packets of this stream id have a head with fields (table 2-21).
  private static func hasFields(_ id: UInt8) -> Bool {
    switch id {
    case 0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF: false
    default: id >= 0xBC
    }
  }
}
