import Units

/// Whether the copy of the directory is fetched anew.
public enum UpdateRule {
  /// What lies where the copy should be.
  public enum Copy: Equatable, Sendable {
    /// Nothing: the owner has not fetched it yet.
    case absent
    /// A file that cannot be used.
    case broken
    /// A copy that was fetched at this time, in seconds since 1970.
    case dated(Int64)
  }

  private static let day: Int64 = 86_400

  /// Whether a timer fetches it now. Where the clock was not set yet nobody knows how old it is, and certificates would
  /// not be valid; a copy from the future was dated by a clock that was wrong.
  ///
  /// - Parameters:
  ///   - copy: What is there.
  ///   - days: After so many days it is fetched anew; 0: never.
  ///   - now: The time by the machine's clock, in seconds since 1970.
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
