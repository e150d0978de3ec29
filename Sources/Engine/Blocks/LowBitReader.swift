/// Reads bits as Vorbis packs them: the lowest of each byte first (Vorbis I, 2). Bits behind the end are zeros, and set
/// `isPastEnd`.
struct LowBitReader: BitwiseCopyable {
  private var position: Int
  private let end: Int

  /// A reader at the first bit of the byte `offset` of `bytes`.
  init(_ bytes: Span<UInt8>, at offset: Int = 0) { (position, end) = (8 * offset, 8 * bytes.count) }

  /// Whether a bit behind the end was read or skipped.
  var isPastEnd: Bool { position > end }

  /// The next 0 … 32 bits.
  mutating func bits(_ count: Int, of bytes: Span<UInt8>) -> Int {
    precondition((0...32).contains(count), "a number has at most 32 bits")
    let first = position >> 3
    var value: UInt64 = 0
    // 32 bits stand in at most five bytes.
    for index in 0..<5 where first + index < bytes.count { value |= UInt64(bytes[first + index]) << UInt64(8 * index) }
    value = value >> UInt64(position & 7) & (1 << UInt64(count) - 1)
    skip(count)
    return Int(value)
  }

  /// The next bit.
  mutating func flag(of bytes: Span<UInt8>) -> Bool { bits(1, of: bytes) == 1 }

  /// Skips bits; at most one more than are left.
  mutating func skip(_ count: Int) {
    precondition(count >= 0, "a reader does not go back")
    position += min(count, end + 1 - position)
  }
}
