import Blocks

/// Rounds samples to a sink's depth, four at a time: to nearest, clipped, dithered on request.
struct SampleRounding {
  /// A value so large that a `Float` near it has a step of 256; zero to keep all 24 bits.
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

  /// Rounds an even number of frames, each two sums for left and two for right in 24 bits.
  mutating func round(_ frames: UnsafePointer<SIMD4<Float>>, count: Int, _ out: UnsafeMutablePointer<Int32>) {
    let out = UnsafeMutableRawPointer(out)
    guard isDithered else {
      for pair in 0..<count / 2 {
        out.storeBytes(of: nearest(Self.join(frames + 2 &* pair)), toByteOffset: 16 &* pair, as: SIMD4<Int32>.self)
      }
      return
    }
    var number = dither.advance(by: Period.channels * count)
    for pair in 0..<count / 2 {
      let noisy = Self.join(frames + 2 &* pair) + Self.noise(number)
      out.storeBytes(of: nearest(noisy), toByteOffset: 16 &* pair, as: SIMD4<Int32>.self)
      number &+= 4
    }
  }

  /// Rounds an even number of frames of one or two channels with a full scale of 1; mono is duplicated.
  mutating func round(_ samples: UnsafePointer<Float>, frames: Int, channels: Int, _ out: UnsafeMutablePointer<Int32>) {
    let bytes = UnsafeRawPointer(samples)
    let out = UnsafeMutableRawPointer(out)
    let full = SIMD4<Float>(repeating: 8_388_608)
    var number = isDithered ? dither.advance(by: Period.channels * frames) : 0
    for pair in 0..<frames / 2 {
      let fine: SIMD4<Float>
      if channels == 2 {
        fine = bytes.loadUnaligned(fromByteOffset: 16 &* pair, as: SIMD4<Float>.self)
      } else {
        let (one, two) = (samples[2 &* pair], samples[2 &* pair &+ 1])
        fine = SIMD4(one, one, two, two)
      }
      var value = fine * full
      if isDithered {
        value += Self.noise(number)
        number &+= 4
      }
      out.storeBytes(of: nearest(value), toByteOffset: 16 &* pair, as: SIMD4<Int32>.self)
    }
  }

  /// Adds the two sums of each sample, for two frames.
  @inline(__always)
  private static func join(_ frames: UnsafePointer<SIMD4<Float>>) -> SIMD4<Float> {
    let one = frames[0], two = frames[1]
    return SIMD4(one[0], one[2], two[0], two[2]) + SIMD4(one[1], one[3], two[1], two[3])
  }

  @inline(__always)
  private static func noise(_ number: UInt32) -> SIMD4<Float> {
    SIMD4(
      Float(Dither.noise(number)), Float(Dither.noise(number &+ 1)), Float(Dither.noise(number &+ 2)),
      Float(Dither.noise(number &+ 3)))
  }

  /// Rounds and clips to integers. A `Float` from 2^23 to 2^24 has only whole values, in its lowest bits. Adds 2^24 to
  /// negative values and 2^23 to the others, because Swift's own rounding is not vectorised.
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
