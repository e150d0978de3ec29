/// Limits recordings that do not start: five in ten seconds.
struct RefusalPace {
  static let maxCount = 5
  static let span = 10.0

  /// The times of the last refusals in seconds; the newest is last.
  private var times: [Double] = []

  /// Records a refused start.
  mutating func record(at time: Double) {
    times.append(time)
    times.removeFirst(max(0, times.count - Self.maxCount))
  }

  /// Returns the seconds until the next start is allowed; nil if allowed now.
  func wait(at time: Double) -> Int? {
    guard times.count == Self.maxCount, let first = times.first, time - first < Self.span else { return nil }
    return max(1, Int((first + Self.span - time).rounded(.up)))
  }
}
