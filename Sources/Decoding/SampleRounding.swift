/// Rounds samples to a sink's depth, four at once, as decoders do: to the nearest, clipped, with noise where asked for.
struct SampleRounding {
  /// So great that a `Float` beside it has only multiples of 256; nothing where all 24 bits are kept.
  private let coarseness: SIMD4<Float>
  private let highest: SIMD4<Float>
  private let isDithered: Bool
  private var dither = Dither()

  init(_ depth: SampleDepth) {
    let is24Bit = depth == .bits24
    coarseness = SIMD4(repeating: is24Bit ? 0 : 0x1.8p31)
    highest = SIMD4(repeating: is24Bit ? 8_388_607 : 8_388_352)
    isDithered = depth == .bits16Dithered
  }

  /// Rounds an even number of frames, each of them two sums for the left and two for the right in 24 bits; what dither
  /// adds stays in `frames`.
  mutating func round(_ frames: UnsafeMutablePointer<SIMD4<Float>>, count: Int, _ out: UnsafeMutablePointer<Int32>) {
    if isDithered { addNoise(frames, count) }
    let out = UnsafeMutableRawPointer(out)
    for pair in 0..<count / 2 {
      let one = frames[2 &* pair], two = frames[2 &* pair &+ 1]
      let samples = SIMD4(one[0], one[2], two[0], two[2]) + SIMD4(one[1], one[3], two[1], two[3])
      out.storeBytes(of: nearest(samples), toByteOffset: 16 &* pair, as: SIMD4<Int32>.self)
    }
  }

  private mutating func addNoise(_ frames: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) {
    let number = dither.advance(by: 2 * count)
    for index in 0..<count {
      let left = number &+ UInt32(truncatingIfNeeded: 2 &* index)
      frames[index] += SIMD4(Float(Dither.noise(left)), 0, Float(Dither.noise(left &+ 1)), 0)
    }
  }

  /// From 2^23 to 2^24 a `Float` has whole numbers only, and they are its lowest bits: what is negative is lifted there
  /// by 2^24, the rest by 2^23. Swift has no vector instruction for this that does not look at each sample.
  @inline(__always)
  private func nearest(_ value: SIMD4<Float>) -> SIMD4<Int32> {
    let lowest = SIMD4<Float>(repeating: -8_388_608)
    let coarse = (value + coarseness) - coarseness
    let raised = lowest.replacing(with: coarse, where: coarse .> lowest)
    let clipped = highest.replacing(with: raised, where: raised .< highest)
    let isNegative = unsafeBitCast(clipped, to: SIMD4<UInt32>.self) &>> 31
    let lift = 0x4B00_0000 &+ isNegative &<< 23
    let sum = clipped + unsafeBitCast(lift, to: SIMD4<Float>.self)
    return unsafeBitCast(unsafeBitCast(sum, to: SIMD4<UInt32>.self) &- lift, to: SIMD4<Int32>.self)
  }
}
