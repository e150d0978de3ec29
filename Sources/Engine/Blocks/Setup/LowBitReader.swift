/// Reads bits in Vorbis order: each byte's lowest bit first (Vorbis I, 2). Bits beyond the end are zero.
struct LowBitReader: BitwiseCopyable {
  private var position: Int
  private let end: Int

  init(_ bytes: Span<UInt8>, at offset: Int = 0) { (position, end) = (8 * offset, 8 * bytes.count) }

  /// True if a bit beyond the end was read or skipped.
  var isPastEnd: Bool { position > end }

  mutating func bits(_ count: Int, of bytes: Span<UInt8>) -> Int {
    precondition((0...32).contains(count), "a number has at most 32 bits")
    let first = position >> 3
    var value: UInt64 = 0
    // 32 bits lie in at most five bytes.
    for index in 0..<5 where first + index < bytes.count { value |= UInt64(bytes[first + index]) << UInt64(8 * index) }
    value = value >> UInt64(position & 7) & (1 << UInt64(count) - 1)
    skip(count)
    return Int(value)
  }

  mutating func flag(of bytes: Span<UInt8>) -> Bool { bits(1, of: bytes) == 1 }

  /// Skips bits; stops one bit beyond the end.
  mutating func skip(_ count: Int) {
    precondition(count >= 0, "a reader does not go back")
    position += min(count, end + 1 - position)
  }
}
