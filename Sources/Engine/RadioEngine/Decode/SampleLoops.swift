import Units

/// Finds loops of samples that start at any time (F3): one search for long loops, and two by turns for short loops,
/// each with a head of its own. Decode thread only.
struct SampleLoops {
  /// Number of 32-bit words that the searches need.
  static let wordCount =
    SampleLoop.wordCount(maxLong) + 2 * SampleLoop.wordCount(maxShort) + PeakedFrames.wordCount

  /// Longest period in samples: 30 s at 48 kHz.
  private static let maxLong = 30 * 48_000
  /// 3.3 s at 96 kHz.
  private static let maxShort = 316_800

  private var frames: PeakedFrames
  private var long: SampleLoop
  private var short: SampleLoop
  private var other: SampleLoop

  init(_ words: UnsafeMutablePointer<Int32>) {
    let shorts = words + SampleLoop.wordCount(Self.maxLong)
    let others = shorts + SampleLoop.wordCount(Self.maxShort)
    long = SampleLoop(words, maxPeriod: Self.maxLong)
    short = SampleLoop(shorts, maxPeriod: Self.maxShort)
    other = SampleLoop(others, maxPeriod: Self.maxShort)
    frames = PeakedFrames(others + SampleLoop.wordCount(Self.maxShort))
  }

  /// Frames that repeat; 0 until the whole period was repeated once.
  var repeated: FrameCount { FrameCount(max(long.repeatedCount, short.repeatedCount, other.repeatedCount)) }

  mutating func restart() {
    frames.restart()
    long.restart()
    short.restart()
    other.restart()
  }

  /// Compares frames of two samples each, at most `PeakedFrames.maxCount`.
  mutating func consume(_ samples: UnsafePointer<Int32>, _ count: Int, at rate: SampleRate) {
    frames.append(samples, min(count, PeakedFrames.maxCount))
    let limit = Int(rate.hertz) * 33 / 10
    long.consume(frames, mayBegin: true, limit: .max)
    short.consume(frames, mayBegin: true, limit: limit)
    other.consume(frames, mayBegin: short.count == 0 || short.count >= limit / 2, limit: limit)
  }
}
