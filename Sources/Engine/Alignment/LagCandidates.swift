/// Places of the new stream in the old one that may be true, with the correlation of each window.
///
/// Allocated at creation.
struct LagCandidates {
  private(set) var count = 0
  /// Place of the new stream's first sample in the old stream; negative if earlier.
  private var lags: [Int]
  private var measured: [Int]
  private var readings: [LagProbe.Reading]

  static let capacity = 24
  /// Minimum distance of two candidates, in samples.
  private static let distance = LagProbe.range + 1

  /// Minimum correlation of a reading that moves the place.
  private static let good: Float = 0.9
  /// Distance of the border of the probe, in samples.
  private static let step: Float = 0.1

  /// Result for a window that the old stream does not contain.
  static let missing = LagProbe.Reading(correlation: 2, lag: 0)

  init() {
    lags = [Int](repeating: 0, count: Self.capacity)
    measured = lags
    readings = [LagProbe.Reading](repeating: Self.missing, count: Self.capacity * LowRate.maxWindows)
  }

  mutating func removeAll() { count = 0 }

  func lag(of candidate: Int) -> Int { lags[candidate] }

  /// Returns the result for a window; nil if the old stream does not contain the window.
  func reading(of candidate: Int, _ window: Int) -> LagProbe.Reading? {
    let reading = readings[candidate * LowRate.maxWindows + window]
    return reading.correlation > 1 ? nil : reading
  }

  /// Adds a place, instead of the worst candidate if there are too many.
  mutating func insert(_ lag: Int) {
    for index in 0..<count where abs(lags[index] - lag) < Self.distance { return }
    let index = count < Self.capacity ? count : worst
    if count < Self.capacity { count += 1 }
    (lags[index], measured[index]) = (lag, 0)
  }

  private var worst: Int {
    var (worst, least) = (0, Float.infinity)
    // A place that is not measured yet may be the best.
    for candidate in 0..<count where measured[candidate] > 0 {
      var sum: Float = 0
      for window in 0..<measured[candidate] {
        sum += max(0, abs(reading(of: candidate, window)?.correlation ?? 0) - 0.3)
      }
      if sum < least { (worst, least) = (candidate, sum) }
    }
    return worst
  }

  /// Returns a candidate that is not measured up to `windowCount`, and its next window.
  func pending(upTo windowCount: Int) -> (candidate: Int, window: Int)? {
    for candidate in 0..<count where measured[candidate] < windowCount { return (candidate, measured[candidate]) }
    return nil
  }

  /// Records the next window of a candidate. A good one moves the place: two encoders may count time at slightly
  /// different rates. A window that fits best at the border of the probe moves the place too, because its peak may lie
  /// beyond.
  mutating func record(_ reading: LagProbe.Reading, of candidate: Int) {
    readings[candidate * LowRate.maxWindows + measured[candidate]] = reading
    measured[candidate] += 1
    let isAtBorder = abs(reading.lag - Float(lags[candidate])) > Float(LagProbe.range) - Self.step
    guard ((isAtBorder ? MatchRule.fit : Self.good)...1).contains(abs(reading.correlation)) else { return }
    lags[candidate] = Int(reading.lag.rounded())
  }
}
