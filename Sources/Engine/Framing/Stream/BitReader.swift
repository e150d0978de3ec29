/// Reads bits, the highest bit of each byte first. Bits past the end read as zero and set `isPastEnd`.
/// Each call receives the bytes again, because storing a span in a struct needs an experimental compiler feature.
struct BitReader: BitwiseCopyable {
  /// Index of the next bit, 0 … `end` + 1.
  private(set) var position = 0
  let end: Int

  init(_ bytes: Span<UInt8>) { end = bytes.count * 8 }

  private init(at position: Int, end: Int) {
    self.position = position
    self.end = end
  }

  var isPastEnd: Bool { position > end }

  var bitsLeft: Int { max(0, end - position) }

  mutating func bits(_ count: Int, of bytes: Span<UInt8>) -> UInt32 {
    precondition((0...32).contains(count), "a number has at most 32 bits")
    let first = position >> 3
    var value: UInt64 = 0
    // 32 bits span up to five bytes.
    for index in first..<first + 5 { value = value << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    value = value >> UInt64(40 - (position & 7) - count) & (1 << UInt64(count) - 1)
    let absent = UInt64(count - min(count, bitsLeft))
    skip(count)
    return UInt32(truncatingIfNeeded: (value >> absent) << absent)
  }

  mutating func flag(of bytes: Span<UInt8>) -> Bool { bits(1, of: bytes) == 1 }

  mutating func skip(_ count: Int) {
    precondition(count >= 0, "a reader does not go back")
    position += min(count, end + 1 - position)
  }

  /// Skips to the next byte boundary, counted from the bit `start`.
  mutating func align(from start: Int = 0) { skip((8 - (position - start) & 7) & 7) }

  func limited(to count: Int) -> BitReader {
    BitReader(at: position, end: min(end, position + min(max(0, count), end)))
  }
}
