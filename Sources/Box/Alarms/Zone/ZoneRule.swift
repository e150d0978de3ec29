import Units

/// The yearly rule at the end of a time zone's file: a POSIX TZ string (RFC 9636, section 3.3.1).
struct ZoneRule: Equatable, Sendable {
  /// The day of a change within a year.
  enum Day: Equatable, Sendable {
    /// Day 1 … 365, without February 29.
    case julian(Int)
    /// Day 0 … 365, with February 29.
    case ordinal(Int)
    /// Month 1 … 12, week 1 … 5 (5 for the last), weekday 0 … 6.
    case weekday(Int, Int, Int)

    func day(in year: Int) -> CalendarDay {
      let first = CalendarDay(year, 1, 1)
      switch self {
      case .julian(let number):
        let isLeap = CalendarDay(year, 2, 29) != CalendarDay(year, 3, 1)
        return CalendarDay(number: first.number + number - 1 + (isLeap && number >= 60 ? 1 : 0))
      case .ordinal(let number): return CalendarDay(number: first.number + number)
      case .weekday(let month, let week, let weekday):
        let start = CalendarDay(year, month, 1)
        let next = month == 12 ? CalendarDay(year + 1, 1, 1) : CalendarDay(year, month + 1, 1)
        var number = start.number + (weekday - start.weekday + 7) % 7 + (week - 1) * 7
        if number >= next.number { number -= 7 }
        return CalendarDay(number: number)
      }
    }
  }

  /// A change of a year: its day, and its local time in seconds after midnight, which may be negative.
  struct Change: Equatable, Sendable {
    var day: Day
    var seconds: Int
  }

  /// The usual offset, in seconds east of UTC.
  let standard: Int
  /// The other offset, with its begin and end in each year; nil without one.
  let summer: (offset: Int, begin: Change, end: Change)?

  init(standard: Int, summer: (offset: Int, begin: Change, end: Change)? = nil) {
    (self.standard, self.summer) = (standard, summer)
  }

  static func == (first: ZoneRule, second: ZoneRule) -> Bool {
    first.standard == second.standard && first.summer?.offset == second.summer?.offset
      && first.summer?.begin == second.summer?.begin && first.summer?.end == second.summer?.end
  }

  /// Returns the offset at a moment.
  func offset(at seconds: Int64) -> Int {
    changes(around: seconds).last { $0.moment <= seconds }?.offset ?? standard
  }

  /// Returns the changes from the year before a moment to the year after it, in order.
  func changes(around seconds: Int64) -> [ZoneRules.Transition] {
    guard let summer else { return [] }
    let year = CalendarDay(containing: seconds).year
    return (year - 1...year + 1).flatMap { year in
      let changes = [
        change(summer.begin, in: year, from: standard, to: summer.offset),
        change(summer.end, in: year, from: summer.offset, to: standard),
      ]
      return changes
    }.sorted { $0.moment < $1.moment }
  }

  private func change(_ change: Change, in year: Int, from before: Int, to offset: Int) -> ZoneRules.Transition {
    let local = change.day.day(in: year).seconds + Int64(change.seconds)
    return ZoneRules.Transition(moment: local - Int64(before), offset: offset)
  }
}
