/// Converts samples with a full scale of 1 to 24 bits, four at a time. The results equal those of `SampleScale`; with
/// `is16Bit`, those of `SampleScale` and `DepthRounding`. All functions are inlined, to make `is16Bit` a constant.
enum FloatScale {
  /// Converts `count` frames of two channels in one row.
  @inline(__always)
  static func convert(
    _ samples: UnsafePointer<Float>, count: Int, is16Bit: Bool, to out: UnsafeMutablePointer<Int32>
  ) {
    let (bytes, target) = (UnsafeRawPointer(samples), UnsafeMutableRawPointer(out))
    for step in 0..<count / 2 {
      let frames = bytes.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Float>.self)
      store(frames, is16Bit, target + 16 &* step)
    }
    let last = 2 &* count &- 2
    if count & 1 == 1 { convert(samples[last], samples[last &+ 1], is16Bit, out + last) }
  }

  /// Converts `count` frames of two rows. Mono is the same row twice.
  @inline(__always)
  static func convert(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, is16Bit: Bool,
    to out: UnsafeMutablePointer<Int32>
  ) {
    let (lefts, rights, target) = (UnsafeRawPointer(left), UnsafeRawPointer(right), UnsafeMutableRawPointer(out))
    for step in 0..<count / 4 {
      let one = lefts.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Float>.self)
      let other = rights.loadUnaligned(fromByteOffset: 16 &* step, as: SIMD4<Float>.self)
      store(SIMD4(one[0], other[0], one[1], other[1]), is16Bit, target + 32 &* step)
      store(SIMD4(one[2], other[2], one[3], other[3]), is16Bit, target + (32 &* step &+ 16))
    }
    for frame in count & ~3..<count { convert(left[frame], right[frame], is16Bit, out + 2 &* frame) }
  }

  @inline(__always)
  private static func convert(_ left: Float, _ right: Float, _ is16Bit: Bool, _ out: UnsafeMutablePointer<Int32>) {
    let both = integers(SIMD4(left, right, 0, 0), is16Bit)
    (out[0], out[1]) = (both[0], both[1])
  }

  @inline(__always)
  private static func store(_ samples: SIMD4<Float>, _ is16Bit: Bool, _ target: UnsafeMutableRawPointer) {
    target.storeBytes(of: integers(samples, is16Bit), as: SIMD4<Int32>.self)
  }

  /// Rounds and clips; not-a-number becomes silence. A `Float` from 2^23 to 2^24 has only whole values, in its lowest
  /// bits. Adds 2^24 to negative values and 2^23 to the others, because Swift's own rounding is not vectorised.
  @inline(__always)
  private static func integers(_ samples: SIMD4<Float>, _ is16Bit: Bool) -> SIMD4<Int32> {
    let lowest = SIMD4<Float>(repeating: -8_388_608)
    // A greater 24-bit sample would be rounded up to 2^23.
    let highest = SIMD4<Float>(repeating: is16Bit ? 8_388_479 : 8_388_607)
    let scaled = samples * 8_388_608
    let number = SIMD4<Float>(repeating: 0).replacing(with: scaled, where: scaled .== scaled)
    let raised = lowest.replacing(with: number, where: number .> lowest)
    let clipped = highest.replacing(with: raised, where: raised .< highest)
    let isNegative = unsafeBitCast(clipped, to: SIMD4<UInt32>.self) &>> 31
    let lift = 0x4B00_0000 &+ isNegative &<< 23
    let sum = clipped + unsafeBitCast(lift, to: SIMD4<Float>.self)
    let whole = unsafeBitCast(unsafeBitCast(sum, to: SIMD4<UInt32>.self) &- lift, to: SIMD4<Int32>.self)
    return is16Bit ? (whole &+ 128) & ~255 : whole
  }
}
