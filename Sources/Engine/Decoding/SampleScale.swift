/// Samples of other kinds as 24 bits.
enum SampleScale {
  private static let lowest: Int32 = -8_388_608
  private static let highest: Int32 = 8_388_607
  /// A `Double` of this size has whole numbers only, and they are its lowest bits.
  private static let whole = 0x1.8p52

  /// A sample with full scale at 1, rounded to the nearest and clipped; silence where it is no number.
  @inline(__always)
  static func from(_ sample: Float) -> Int32 {
    let number = sample == sample ? Double(sample) * 8_388_608 : 0
    let clipped = max(Double(lowest), min(Double(highest), number))
    return Int32(truncatingIfNeeded: (clipped + whole).bitPattern)
  }

  /// A sample of `bits`, 1 … 24, clipped.
  @inline(__always)
  static func from(_ sample: Int32, bits: Int) -> Int32 {
    let shift = Int32(truncatingIfNeeded: 24 &- bits)
    return max(lowest &>> shift, min(highest &>> shift, sample)) &<< shift
  }

  /// A sample of `bits`, 25 … 32, rounded to the nearest and clipped.
  @inline(__always)
  static func rounding(_ sample: Int32, bits: Int) -> Int32 {
    let shift = Int32(truncatingIfNeeded: bits &- 24)
    return max(lowest, min(highest, (sample &>> shift) &+ (sample &>> (shift &- 1)) & 1))
  }
}
