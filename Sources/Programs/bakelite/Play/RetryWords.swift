/// Selects which attempts to connect are printed: each new cause at once, then at growing intervals.
struct RetryWords {
  private struct Known {
    var heard: Double
    var told: Double
    /// Minimum seconds until the next report.
    var pause: Double
  }

  private var causes: [String: Known] = [:]

  /// The intervals in seconds; each doubles the previous one.
  private static let (minInterval, maxInterval) = (10.0, 600.0)
  /// Seconds without an occurrence after which a cause counts as new.
  private static let memory = 120.0
  /// Maximum number of causes. A station with many different causes is therefore reported only now and then.
  private static let maxCauses = 32

  /// Returns true if a cause is printed now. Ignores its digits, which change from attempt to attempt.
  mutating func isTold(_ words: String, at time: Double) -> Bool {
    let cause = words.filter { !$0.isNumber }
    causes = causes.filter { time - $0.value.heard < Self.memory }
    guard var known = causes[cause] else {
      if causes.count < Self.maxCauses { causes[cause] = Known(heard: time, told: time, pause: Self.minInterval) }
      return causes[cause] != nil
    }
    known.heard = time
    let isDue = time - known.told >= known.pause
    if isDue { (known.told, known.pause) = (time, min(Self.maxInterval, known.pause * 2)) }
    causes[cause] = known
    return isDue
  }
}
