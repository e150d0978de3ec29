import Units

/// Finds samples that repeat within -60 dBFS (F3), for codecs whose packets differ although the audio repeats.
/// Remembers samples from a peak on, the head, and looks for them again; their distance is the period. Then compares
/// every `stride`th sample. Decode thread only.
struct SampleLoop {
  /// Number of samples in the head.
  static let headCount = PeakedFrames.tailCount
  /// Distance of the samples that are remembered and compared.
  static let stride = 64
  /// Maximum difference of equal 24-bit samples: -60 dBFS.
  static let tolerance: Int32 = 8_388
  /// Minimum of the head's first sample: quieter samples fit everywhere.
  static let minPeak: Int32 = 4 * tolerance
  /// A part of at least this length that repeats may be a beat in a longer loop.
  static let minBeat = 8_192

  private let head: UnsafeMutablePointer<Int32>
  private let sparse: UnsafeMutablePointer<Int32>
  /// The longest period, in samples.
  private let maxPeriod: Int
  /// Number of samples since the head's first; 0 while a head is sought.
  private(set) var count = 0
  /// Samples in a repetition; 0 until a repetition is found.
  private var period = 0
  /// Number of the next sample in the repetition.
  private var phase = 0

  /// Creates a loop with memory of `wordCount` words.
  init(_ words: UnsafeMutablePointer<Int32>, maxPeriod: Int) {
    (head, sparse, self.maxPeriod) = (words, words + Self.headCount, maxPeriod)
  }

  /// Returns the number of 32-bit words for a longest period in samples.
  static func wordCount(_ maxPeriod: Int) -> Int { headCount + maxPeriod / stride + 1 }

  /// Samples that repeat; 0 until the whole period was repeated once.
  var repeatedCount: Int { period > 0 && count >= 2 * period ? count : 0 }

  mutating func restart() { (count, period, phase) = (0, 0, 0) }

  /// Compares new frames. `mayBegin`: true if a head may be chosen. `limit`: the longest period that is sought, in
  /// samples.
  mutating func consume(_ frames: borrowing PeakedFrames, mayBegin: Bool, limit: Int) {
    let (limit, heads) = (min(limit, maxPeriod), frames.count + 1 - Self.headCount)
    if period == 0, count >= limit { restart() }
    if count == 0 {
      guard mayBegin, let place = frames.peak(before: heads, least: Self.minPeak) else { return }
      for number in 0..<Self.headCount { head[number] = frames[place + number] }
      return remember(frames, from: place)
    }
    let (before, found) = (count, period == 0 ? distance(ofRepetitionIn: frames, before: heads) : nil)
    remember(frames, from: PeakedFrames.tailCount)
    if let found, found < limit {
      // The head itself was compared.
      (period, phase) = (found, max(0, before - found) % found)
      follow(frames, from: PeakedFrames.tailCount + max(0, found - before))
    } else if period > 0 {
      follow(frames, from: PeakedFrames.tailCount)
    }
  }

  /// Returns the distance at which the head is repeated; nil without a repetition.
  private func distance(ofRepetitionIn frames: borrowing PeakedFrames, before end: Int) -> Int? {
    let least = Int32(clamping: head[0].magnitude) - Self.tolerance
    // Earlier heads were compared with the frames before.
    let origin = PeakedFrames.tailCount - count
    var place = max(1, origin + 1)
    while let next = frames.place(place, least: least, before: end) {
      if let error = error(of: frames, next) { return best(frames, next, error, end) - origin }
      place = next + 1
    }
    return nil
  }

  /// Returns the place with the least error: a head of a low pitch fits at some places in a row.
  private func best(_ frames: borrowing PeakedFrames, _ first: Int, _ error: Int64, _ end: Int) -> Int {
    var (best, least, place) = (first, error, first + 1)
    while place < end, let error = self.error(of: frames, place) {
      if error < least { (best, least) = (place, error) }
      place += 1
    }
    return best
  }

  /// Returns the sum of differences from the head; nil if a sample differs.
  private func error(of frames: borrowing PeakedFrames, _ place: Int) -> Int64? {
    var sum: Int64 = 0
    for number in 0..<Self.headCount {
      let difference = (frames[place + number] &- head[number]).magnitude
      if difference > UInt32(Self.tolerance) { return nil }
      sum += Int64(difference)
    }
    return sum
  }

  /// Compares samples with those of the repetition before.
  private mutating func follow(_ frames: borrowing PeakedFrames, from begin: Int) {
    var place = begin + (Self.stride - phase % Self.stride) % Self.stride
    var next = phase + place - begin
    while place < frames.count {
      if next >= period {
        // The remembered samples begin again at the head.
        place -= next - period
        next = 0
        if place >= frames.count { break }
      }
      if (frames[place] &- sparse[next / Self.stride]).magnitude > UInt32(Self.tolerance) {
        // The head of a beat that ended cannot be the head of a longer loop.
        if period >= Self.minBeat, repeatedCount > 0 { restart() } else { period = 0 }
        return
      }
      place += Self.stride
      next += Self.stride
    }
    phase = (phase + frames.count - begin) % period
  }

  /// Remembers every `stride`th sample since the head's first.
  private mutating func remember(_ frames: borrowing PeakedFrames, from begin: Int) {
    var place = begin + (Self.stride - count % Self.stride) % Self.stride
    while place < frames.count, count + place - begin <= maxPeriod {
      sparse[(count + place - begin) / Self.stride] = frames[place]
      place += Self.stride
    }
    count += frames.count - begin
  }
}
