/// Left samples, after the last samples of the frames before, and the largest magnitude in each group. Decode thread
/// only.
struct PeakedFrames {
  /// Number of samples from the frames before.
  static let tailCount = 64
  /// Samples in a group.
  static let groupSize = 16
  /// Maximum number of new frames.
  static let maxCount = 1_280
  /// Number of 32-bit words for the samples and the peaks.
  static let wordCount = tailCount + maxCount + (tailCount + maxCount) / groupSize

  private let samples: UnsafeMutablePointer<Int32>
  private let peaks: UnsafeMutablePointer<Int32>
  /// Number of samples with the tail.
  private(set) var count = PeakedFrames.tailCount

  /// Starts with a silent tail, in memory of `wordCount` words.
  init(_ words: UnsafeMutablePointer<Int32>) {
    (samples, peaks) = (words, words + Self.tailCount + Self.maxCount)
    restart()
  }

  mutating func restart() {
    count = Self.tailCount
    samples.update(repeating: 0, count: Self.tailCount)
  }

  /// Adds the left samples of at most `maxCount` frames.
  mutating func append(_ frames: UnsafePointer<Int32>, _ frameCount: Int) {
    let old = samples + (count - Self.tailCount)
    for place in 0..<Self.tailCount { samples[place] = old[place] }
    let new = samples + Self.tailCount
    for place in 0..<frameCount { new[place] = frames[2 &* place] }
    count = Self.tailCount + frameCount
    for group in 0..<(count + Self.groupSize - 1) / Self.groupSize {
      let first = group &* Self.groupSize
      var peak: Int32 = 0
      for place in first..<min(first &+ Self.groupSize, count) { peak = max(peak, magnitude(place)) }
      peaks[group] = peak
    }
  }

  /// The sample at a place, from the start of the tail.
  subscript(_ place: Int) -> Int32 { samples[place] }

  private func magnitude(_ place: Int) -> Int32 { Int32(clamping: samples[place].magnitude) }

  /// Returns the first place from `place` on, before `end`, in a group with a peak of at least `least`.
  func place(_ place: Int, least: Int32, before end: Int) -> Int? {
    var place = place
    while place < end {
      if peaks[place / Self.groupSize] >= least { return place }
      place = (place / Self.groupSize + 1) * Self.groupSize
    }
    return nil
  }

  /// Returns the place of the largest magnitude before `end`; nil if all are smaller than `least`.
  func peak(before end: Int, least: Int32) -> Int? {
    var (best, largest, place): (Int?, Int32, Int) = (nil, least - 1, 0)
    while place < end {
      if magnitude(place) > largest { (best, largest) = (place, magnitude(place)) }
      place += 1
    }
    return best
  }
}
