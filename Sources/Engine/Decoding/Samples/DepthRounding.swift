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

  /// Converts and rounds `count` frames of two channels in one row, with a full scale of 1.
  mutating func round(interleaved samples: UnsafePointer<Float>, count: Int, to out: UnsafeMutablePointer<Int32>) {
    if depth == .bits16 {
      FloatScale.convert(samples, count: count, is16Bit: true, to: out)
    } else {
      FloatScale.convert(samples, count: count, is16Bit: false, to: out)
      round(out, count: count, isFine: true)
    }
  }

  /// Converts and rounds `count` frames of two rows with a full scale of 1. Mono is the same row twice.
  mutating func round(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, to out: UnsafeMutablePointer<Int32>
  ) {
    if depth == .bits16 {
      FloatScale.convert(left, right, count: count, is16Bit: true, to: out)
    } else {
      FloatScale.convert(left, right, count: count, is16Bit: false, to: out)
      round(out, count: count, isFine: true)
    }
  }

  /// Rounds a sample of 24 bits, dither included, to 16 significant bits, and clips.
  @inline(__always)
  private static func round(_ sample: Int32) -> Int32 {
    max(-32_768, min(32_767, (sample &+ 128) &>> 8)) &<< 8
  }
}
