import Units

/// Decides if the copy of the directory is due for an update.
public enum UpdateRule {
  /// The state of the local copy.
  public enum Copy: Equatable, Sendable {
    /// There is no copy: the owner has not fetched the directory yet.
    case absent
    case broken
    /// A copy with this date, in seconds since 1970.
    case dated(Int64)
  }

  private static let day: Int64 = 86_400

  /// Returns true if the copy should be fetched now. `days`: maximum age; 0 for no updates. `now`: seconds since 1970.
  /// False without a copy. Also false before the clock is set, because certificates would be invalid. A date in the
  /// future comes from a wrong clock, so the copy is due.
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
