/// Selects which attempts to connect are printed: each new cause at once, then at growing intervals.
struct RetryWords {
  private struct Known {
    var heard: Double
    var told: Double
    /// The minimum time until the next report.
    var pause: Double
  }

  private var causes: [String: Known] = [:]

  /// The intervals in seconds; each doubles the previous one.
  private static let (shortest, longest) = (10.0, 600.0)
  /// The time in seconds after which a cause counts as new.
  private static let memory = 120.0
  /// The maximum number of causes, so that a station with ever new causes is still reported rarely.
  private static let most = 32

  /// Returns true if a cause is printed now; digits in it are ignored.
  mutating func isTold(_ words: String, at time: Double) -> Bool {
    let cause = words.filter { !$0.isNumber }
    causes = causes.filter { time - $0.value.heard < Self.memory }
    guard var known = causes[cause] else {
      if causes.count < Self.most { causes[cause] = Known(heard: time, told: time, pause: Self.shortest) }
      return causes[cause] != nil
    }
    known.heard = time
    let isDue = time - known.told >= known.pause
    if isDue { (known.told, known.pause) = (time, min(Self.longest, known.pause * 2)) }
    causes[cause] = known
    return isDue
  }
}
