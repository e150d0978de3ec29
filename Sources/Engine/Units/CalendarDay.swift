/// A day of the Gregorian calendar, by its number from 1970-01-01 on.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public var number: Int

  /// The day of a number.
  public init(number: Int) { self.number = number }

  /// A day by its date; a month is 1 … 12, and a day beyond its month's end is one of the next.
  public init(_ year: Int, _ month: Int, _ day: Int) {
    // Years that begin in March have their leap day at the end.
    let shifted = month > 2 ? year : year - 1
    let era = Self.quotient(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day on which a moment lies: seconds since 1970, by the clock that they are of.
  public init(containing seconds: Int64) { number = Self.quotient(Int(seconds), 86_400) }

  /// The day that no clock which was set stands before: this was written later.
  public static let earliestClock = CalendarDay(2025, 11, 21)

  /// Its year.
  public var year: Int {
    let shifted = number + 719_468
    let era = Self.quotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    return yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
  }

  /// Its day of the week: 0 for Sunday.
  public var weekday: Int { (number % 7 + 11) % 7 }

  /// The first Sunday from this day on.
  var nextSunday: CalendarDay { CalendarDay(number: number + (7 - weekday) % 7) }

  /// The seconds since 1970 of its first moment, by its own clock.
  public var seconds: Int64 { Int64(number) * 86_400 }

  /// Whether `lhs` is earlier.
  public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool { lhs.number < rhs.number }

  /// Rounded down.
  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }
}
