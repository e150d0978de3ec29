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

  /// Converts `count` frames of two rows with samples of 1 … 24 bits, clipped. Mono is the same row twice.
  static func interleave(
    _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, count: Int, bits: Int,
    to out: UnsafeMutablePointer<Int32>
  ) {
    let shift = Int32(truncatingIfNeeded: 24 &- bits)
    let lowest = SIMD4(repeating: minSample &>> shift), highest = SIMD4(repeating: maxSample &>> shift)
    let (lefts, rights) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    let target = UnsafeMutableRawPointer(out)
    /// Stores two frames.
    @inline(__always)
    func store(_ samples: SIMD4<Int32>, _ offset: Int) {
      let raised = lowest.replacing(with: samples, where: samples .> lowest)
      let clipped = highest.replacing(with: raised, where: raised .< highest)
      target.storeBytes(of: clipped &<< SIMD4(repeating: shift), toByteOffset: offset, as: SIMD4<Int32>.self)
    }
    for step in 0..<count / 4 {
      let one = lefts.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Int32>.self)
      let other = rights.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Int32>.self)
      store(SIMD4(one[0], other[0], one[1], other[1]), 32 &* step)
      store(SIMD4(one[2], other[2], one[3], other[3]), 32 &* step &+ 16)
    }
    for frame in count & ~3..<count {
      out[2 &* frame] = from(left[frame], bits: bits)
      out[2 &* frame &+ 1] = from(right[frame], bits: bits)
    }
  }

  /// Converts a sample of 25 … 32 bits, rounded and clipped.
  @inline(__always)
  static func rounding(_ sample: Int32, bits: Int) -> Int32 {
    let shift = Int32(truncatingIfNeeded: bits &- 24)
    return max(minSample, min(maxSample, (sample &>> shift) &+ (sample &>> (shift &- 1)) & 1))
  }
}
