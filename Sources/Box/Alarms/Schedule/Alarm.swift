import Units

/// An alarm of the owner (K1).
public struct Alarm: Equatable, Sendable {
  /// The days of an alarm.
  public enum Repetition: Equatable, Sendable {
    case once(CalendarDay)
    /// Each of these weekdays; at least one.
    case weekly(Weekdays)
  }

  /// The local time in minutes after midnight, 0 … 1439.
  public var minute: Int
  /// The days.
  public var repetition: Repetition
  /// The name of a station, an address, or the path of a file.
  public var source: String
  /// The volume at the end of the rise, in percent, 1 … 100.
  public var volume = 40
  /// Seconds in which the volume rises, 0 … 600.
  public var riseSeconds = 30
  /// Minutes until the alarm ends by itself, 1 … 240.
  public var minutes = 60
  /// False for an alarm that is switched off.
  public var isOn = true
  /// The day of an occurrence that does not ring; nil for none.
  public var skipped: CalendarDay?
  /// True if the alarm does not ring on holidays.
  public var restsOnHolidays = false

  /// Creates an alarm. `minute`: minutes after midnight, 0 … 1439.
  public init(minute: Int, _ repetition: Repetition, source: String) {
    (self.minute, self.repetition, self.source) = (min(max(0, minute), 1_439), repetition, source)
  }

  /// Returns true if the alarm rings on a day.
  func rings(on day: CalendarDay, isHoliday: (CalendarDay) -> Bool) -> Bool {
    guard isOn, day != skipped else { return false }
    switch repetition {
    case .once(let date): return day == date
    case .weekly(let days): return days.contains(day: day.weekday) && !(restsOnHolidays && isHoliday(day))
    }
  }
}
