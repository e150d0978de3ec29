import Units

/// Finds samples that repeat within -60 dBFS (F3), for codecs whose packets differ although the audio repeats.
/// Remembers the first samples, the head, and looks for them again; their distance is the period. Then compares every
/// `stride`th sample. Decode thread only.
struct SampleLoop {
  /// Number of samples in the head.
  static let headCount = 64
  /// Distance of the samples that are remembered and compared.
  static let stride = 64
  /// Longest period in samples: 30 s at 48 kHz.
  static let maxPeriod = 30 * 48_000
  /// Number of 32-bit words that the loop needs.
  static let wordCount = headCount + maxPeriod / stride + 1
  /// Maximum difference of equal 24-bit samples: -60 dBFS.
  static let tolerance: Int32 = 8_388
  /// Minimum of the head's first sample: quieter samples fit everywhere.
  static let minPeak: Int32 = 4 * tolerance

  private let head: UnsafeMutablePointer<Int32>
  private let sparse: UnsafeMutablePointer<Int32>
  /// Number of samples since the head's first; 0 while a head is sought.
  private var count = 0
  /// Samples in a repetition; 0 until a repetition is found.
  private var period = 0
  /// Number of the next sample in the repetition.
  private var phase = 0

  init(_ words: UnsafeMutablePointer<Int32>) { (head, sparse) = (words, words + Self.headCount) }

  /// Frames that repeat; 0 until the whole period was repeated once.
  var repeated: FrameCount { FrameCount(period > 0 && count >= 2 * period ? count : 0) }

  mutating func restart() { (count, period, phase) = (0, 0, 0) }

  /// Compares the left channel of frames of two samples each.
  mutating func consume(_ frames: UnsafePointer<Int32>, _ frameCount: Int) {
    var begin = 0
    if period == 0, count >= Self.maxPeriod { restart() }
    if count == 0 {
      guard let place = Self.place(ofHeadIn: frames, frameCount) else { return }
      for number in 0..<Self.headCount { head[number] = frames[2 * (place + number)] }
      begin = place
    } else if period == 0, let place = place(ofRepetitionIn: frames, frameCount), count + place < Self.maxPeriod {
      (period, phase) = (count + place, 0)
      follow(frames + 2 * place, frameCount - place)
    } else if period > 0 {
      follow(frames, frameCount)
    }
    remember(frames + 2 * begin, frameCount - begin)
  }

  /// Returns the place of a loud sample that begins a head; nil without one.
  private static func place(ofHeadIn frames: UnsafePointer<Int32>, _ frameCount: Int) -> Int? {
    var place = 0
    while place + headCount <= frameCount {
      if frames[2 * place].magnitude >= UInt32(minPeak) { return place }
      place += 1
    }
    return nil
  }

  /// Returns the place where the head is repeated; nil without a repetition. A head across two calls is not found.
  private func place(ofRepetitionIn frames: UnsafePointer<Int32>, _ frameCount: Int) -> Int? {
    let (low, high) = (head[0] - Self.tolerance, head[0] + Self.tolerance)
    var place = 0
    while place + Self.headCount <= frameCount {
      let sample = frames[2 * place]
      if sample >= low, sample <= high, isHead(frames + 2 * place) { return place }
      place += 1
    }
    return nil
  }

  private func isHead(_ frames: UnsafePointer<Int32>) -> Bool {
    for number in 0..<Self.headCount where Self.differ(frames[2 * number], head[number]) { return false }
    return true
  }

  private static func differ(_ one: Int32, _ other: Int32) -> Bool {
    (one &- other).magnitude > UInt32(tolerance)
  }

  /// Compares samples with those of the repetition before.
  private mutating func follow(_ frames: UnsafePointer<Int32>, _ frameCount: Int) {
    var place = (Self.stride - phase % Self.stride) % Self.stride
    var next = phase + place
    while place < frameCount {
      if next >= period {
        // The remembered samples begin again at the head.
        place -= next - period
        next = 0
        if place >= frameCount { break }
      }
      if Self.differ(frames[2 * place], sparse[next / Self.stride]) {
        period = 0
        return
      }
      place += Self.stride
      next += Self.stride
    }
    phase = (phase + frameCount) % period
  }

  /// Remembers every `stride`th sample since the head's first.
  private mutating func remember(_ frames: UnsafePointer<Int32>, _ frameCount: Int) {
    var place = (Self.stride - count % Self.stride) % Self.stride
    while place < frameCount, count + place <= Self.maxPeriod {
      sparse[(count + place) / Self.stride] = frames[2 * place]
      place += Self.stride
    }
    count += frameCount
  }
}
