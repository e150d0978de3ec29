/// A day of the Gregorian calendar, counted from 1970-01-01.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public var number: Int

  /// Creates a day from its number.
  public init(number: Int) { self.number = number }

  /// Creates a day from its date. Months are 1 … 12; a day beyond its month's end belongs to a later month.
  public init(_ year: Int, _ month: Int, _ day: Int) {
    // Years that start in March have their leap day at the end.
    let shifted = month > 2 ? year : year - 1
    let era = Self.quotient(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Creates the day that contains a moment, in seconds since 1970 in UTC or local time.
  public init(containing seconds: Int64) { number = Self.quotient(Int(seconds), 86_400) }

  /// The earliest plausible day of a clock; an earlier clock was never set.
  public static let earliestClock = CalendarDay(2025, 11, 21)

  /// The year.
  public var year: Int {
    let shifted = number + 719_468
    let era = Self.quotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    return yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
  }

  /// The day of the week: 0 for Sunday.
  public var weekday: Int { (number % 7 + 11) % 7 }

  var nextSunday: CalendarDay { CalendarDay(number: number + (7 - weekday) % 7) }

  /// The start of the day, in seconds since 1970 in UTC or local time.
  public var seconds: Int64 { Int64(number) * 86_400 }

  /// Compares two days.
  public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool { lhs.number < rhs.number }

  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}
