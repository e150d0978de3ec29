/// Brings samples of 24 bits to a sink's depth: to the nearest, clipped, with noise where asked for.
struct DepthRounding {
  private let depth: SampleDepth
  private var dither = Dither()

  init(_ depth: SampleDepth) { self.depth = depth }

  /// Rounds `count` frames of two samples. Those that have no more than 16 bits stay as they are, without noise.
  mutating func round(_ samples: UnsafeMutablePointer<Int32>, count: Int, isFine: Bool) {
    guard isFine else { return }
    switch depth {
    case .bits24: break
    case .bits16:
      for index in 0..<2 &* count { samples[index] = Self.round(samples[index]) }
    case .bits16Dithered:
      let number = dither.advance(by: 2 &* count)
      for index in 0..<2 &* count {
        let noise = Dither.noise(number &+ UInt32(truncatingIfNeeded: index))
        samples[index] = Self.round(samples[index] &+ noise)
      }
    }
  }

  /// 24 bits with only the upper 16 in use.
  @inline(__always)
  private static func round(_ sample: Int32) -> Int32 {
    max(-32_768, min(32_767, (sample &+ 128) &>> 8)) &<< 8
  }
}
