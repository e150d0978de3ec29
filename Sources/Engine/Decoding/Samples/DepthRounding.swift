/// Rounds 24-bit samples to a sink's depth: to nearest, clipped, dithered on request.
struct DepthRounding {
  private let depth: SampleDepth
  private var dither = Dither()

  init(_ depth: SampleDepth) { self.depth = depth }

  /// Rounds `count` frames of two samples. Samples of at most 16 bits (not `isFine`) stay unchanged, undithered.
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

  /// Rounds to 16 significant bits of 24, and clips.
  @inline(__always)
  private static func round(_ sample: Int32) -> Int32 {
    max(-32_768, min(32_767, (sample &+ 128) &>> 8)) &<< 8
  }
}
