/// Triangular dither noise for rounding 24 bits to 16: the sum of two uniform values from a counter and a hash. Each
/// sample's noise is independent, so the loop can be vectorised.
struct Dither {
  private var counter: UInt32 = 0

  /// Reserves noise for `count` samples and returns its first number.
  mutating func advance(by count: Int) -> UInt32 {
    defer { counter &+= UInt32(truncatingIfNeeded: count) }
    return counter
  }

  /// Returns the noise of one sample in 24-bit units, -255 … 255: within one step of 16 bits on either side.
  static func noise(_ number: UInt32) -> Int32 {
    var hash = number &* 0x9E37_79B1
    hash ^= hash &>> 15
    hash = hash &* 0x85EB_CA77
    hash ^= hash &>> 13
    hash = hash &* 0xC2B2_AE3D
    hash ^= hash &>> 16
    return Int32(hash & 0xFF) &+ Int32((hash &>> 8) & 0xFF) &- 255
  }
}
