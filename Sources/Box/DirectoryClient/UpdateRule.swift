import Units

/// Decides when the copy of the directory is fetched again.
public enum UpdateRule {
  /// The state of the local copy.
  public enum Copy: Equatable, Sendable {
    /// No copy: the owner has not fetched one yet.
    case absent
    /// An unusable file.
    case broken
    /// A copy with this date, in seconds since 1970.
    case dated(Int64)
  }

  private static let day: Int64 = 86_400

  /// True if the timer should fetch the copy now. Before the clock is set, the age is unknown and certificates would be
  /// invalid. A date in the future comes from a wrong clock.
  ///
  /// - Parameters:
  ///   - copy: The state of the copy.
  ///   - days: Maximum age in days; 0 for no limit.
  ///   - now: The machine's time, in seconds since 1970.
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
