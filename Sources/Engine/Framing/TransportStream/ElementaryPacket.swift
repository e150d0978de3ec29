/// Finds the payload in a PES packet that arrives in pieces (ISO 13818-1 2.4.3.6).
struct ElementaryPacket {
  private enum Part {
    case absent
    case head
    case fields(rest: Int)
    case body(rest: Int?)
  }

  private static var fixedByteCount: Int { 9 }
  private static var timeByteCount: Int { 5 }

  private var part = Part.absent
  private var head = [UInt8](repeating: 0, count: Self.fixedByteCount + Self.timeByteCount)
  private var headCount = 0

  /// Presentation time of the first frame in 90 kHz ticks, 33 bits; nil if absent.
  private(set) var time: UInt64?
  private(set) var isScrambled = false
  /// True if the header announces a frame or tag at the start of the body.
  private(set) var isAligned = false
  private(set) var hasBody = false

  mutating func begin() {
    drop()
    part = .head
  }

  mutating func drop() {
    part = .absent
    headCount = 0
    time = nil
    (isScrambled, isAligned, hasBody) = (false, false, false)
  }

  /// Returns the range of the elementary stream's bytes in `payload`.
  mutating func process(_ payload: Span<UInt8>) -> Range<Int> {
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

  /// Body length in bytes; nil if the header states no length, negative if the header contradicts itself.
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
    skipEmptyFields()
  }

  private mutating func readTime() {
    let (top, middle, low) = (UInt64(head[9] >> 1 & 7), number(at: 10), number(at: 12))
    // Each part ends with a marker bit of 1.
    if head[9] & middle.marker & low.marker == 1 { time = top << 30 | middle.value << 15 | low.value }
    part = .fields(rest: fieldByteCount - Self.timeByteCount)
    skipEmptyFields()
  }

  private func number(at place: Int) -> (value: UInt64, marker: UInt8) {
    (UInt64(head[place]) << 7 | UInt64(head[place + 1] >> 1), head[place + 1] & 1)
  }

  private mutating func skipEmptyFields() {
    if case .fields(rest: 0) = part { part = .body(rest: bodyByteCount) }
  }

  /// By stream id (table 2-21).
  private static func hasFields(_ id: UInt8) -> Bool {
    switch id {
    case 0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF: false
    default: id >= 0xBC
    }
  }
}
