import Units

/// Decides when the copy of the directory is fetched again.
public enum UpdateRule {
  /// The state of the local copy.
  public enum Copy: Equatable, Sendable {
    /// No copy: the owner has not fetched the directory yet.
    case absent
    case broken
    /// A copy with this date, in seconds since 1970.
    case dated(Int64)
  }

  private static let day: Int64 = 86_400

  /// Returns true if the timer should fetch the copy now. Before the clock is set, the age is unknown and certificates
  /// would be invalid. A date in the future comes from a wrong clock. `days`: maximum age; 0 for no limit. `now`:
  /// seconds since 1970.
  public static func isDue(_ copy: Copy, after days: Int, now: Int64) -> Bool {
    guard days > 0, now >= CalendarDay.earliestClock.seconds else { return false }
    switch copy {
    case .absent: return false
    case .broken: return true
    case .dated(let date):
      let (age, isOverflow) = now.subtractingReportingOverflow(date)
      return isOverflow || age < -day || age >= Int64(days) * day
    }
  }
}
