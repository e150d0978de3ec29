import Units

/// A local day and time.
public struct LocalTime: Equatable, Sendable {
  /// The day.
  public var day: CalendarDay
  /// Seconds after midnight, 0 … 86,399.
  var secondOfDay: Int

  /// Creates the local time for a moment in seconds since 1970, with the time zone's offset added.
  init(shifted seconds: Int64) {
    day = CalendarDay(containing: seconds)
    secondOfDay = Int(seconds - day.seconds)
  }

  /// The hour, 0 … 23.
  public var hour: Int { secondOfDay / 3_600 }

  /// The minute, 0 … 59.
  public var minute: Int { secondOfDay / 60 % 60 }
}
