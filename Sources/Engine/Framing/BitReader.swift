/// Reads bits, the highest of each byte first. Bits behind the end are zeros, and set `isPastEnd`.
///
/// A struct cannot store a span without an experimental feature of the compiler, so each call takes the bytes again.
struct BitReader: BitwiseCopyable {
  /// The next bit, counted from the first byte: 0 … `end` + 1.
  private(set) var position = 0
  /// The bit behind the last one.
  let end: Int

  /// A reader at the first bit of `bytes`.
  init(_ bytes: Span<UInt8>) { end = bytes.count * 8 }

  private init(at position: Int, end: Int) {
    self.position = position
    self.end = end
  }

  /// Whether a bit behind the end was read or skipped.
  var isPastEnd: Bool { position > end }

  /// Bits that are left.
  var bitsLeft: Int { max(0, end - position) }

  /// The next 0 … 32 bits.
  mutating func bits(_ count: Int, of bytes: Span<UInt8>) -> UInt32 {
    precondition((0...32).contains(count), "a number has at most 32 bits")
    let first = position >> 3
    var value: UInt64 = 0
    // 32 bits stand in at most five bytes.
    for index in first..<first + 5 { value = value << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    value = value >> UInt64(40 - (position & 7) - count) & (1 << UInt64(count) - 1)
    let absent = UInt64(count - min(count, bitsLeft))
    skip(count)
    return UInt32(truncatingIfNeeded: (value >> absent) << absent)
  }

  /// The next bit.
  mutating func flag(of bytes: Span<UInt8>) -> Bool { bits(1, of: bytes) == 1 }

  /// Skips bits; at most one more than are left.
  mutating func skip(_ count: Int) {
    precondition(count >= 0, "a reader does not go back")
    position += min(count, end + 1 - position)
  }

  /// Skips to the next whole byte, counted from the bit `start`.
  mutating func align(from start: Int = 0) { skip((8 - (position - start) & 7) & 7) }

  /// A reader at the same bit that ends `count` bits further, or where this one ends.
  func limited(to count: Int) -> BitReader {
    BitReader(at: position, end: min(end, position + min(max(0, count), end)))
  }
}
