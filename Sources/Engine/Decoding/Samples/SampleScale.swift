/// Converts samples of other formats to 24 bits.
enum SampleScale {
  private static let minSample: Int32 = -8_388_608
  private static let maxSample: Int32 = 8_388_607
  /// A `Double` of this size has only whole values, in its lowest bits.
  private static let whole = 0x1.8p52

  /// Converts a sample with a full scale of 1, rounded and clipped; not-a-number becomes silence.
  @inline(__always)
  static func from(_ sample: Float) -> Int32 { from(Double(sample)) }

  /// Converts a sample with a full scale of 1, rounded and clipped; not-a-number becomes silence.
  @inline(__always)
  static func from(_ sample: Double) -> Int32 {
    let number = sample == sample ? sample * 8_388_608 : 0
    let clipped = max(Double(minSample), min(Double(maxSample), number))
    return Int32(truncatingIfNeeded: (clipped + whole).bitPattern)
  }

  /// Converts a sample of 1 … 24 bits, clipped.
  @inline(__always)
  static func from(_ sample: Int32, bits: Int) -> Int32 {
    let shift = Int32(truncatingIfNeeded: 24 &- bits)
    return max(minSample &>> shift, min(maxSample &>> shift, sample)) &<< shift
  }

  /// Converts a sample of 25 … 32 bits, rounded and clipped.
  @inline(__always)
  static func rounding(_ sample: Int32, bits: Int) -> Int32 {
    let shift = Int32(truncatingIfNeeded: bits &- 24)
    return max(minSample, min(maxSample, (sample &>> shift) &+ (sample &>> (shift &- 1)) & 1))
  }
}
