import Units

/// A moment at which an alarm rings.
public struct AlarmOccurrence: Equatable, Sendable {
  /// Position of the alarm in the list, from 0.
  public let number: Int
  /// The local day for which the alarm is set.
  public let day: CalendarDay
  /// Seconds since 1970.
  public let moment: Int64
}

/// The moments of all alarms in a time zone (K1, K3). A value without a clock.
///
/// An alarm in a skipped hour rings at the end of the gap; an alarm in an hour that occurs twice rings the first time.
public struct AlarmSchedule {
  /// The alarms in the owner's order.
  public let alarms: [Alarm]
  private let zone: ZoneRules
  private let isHoliday: (CalendarDay) -> Bool

  /// Number of days in which the next occurrence is searched: a leap day is at most eight years away, but holidays and
  /// weekdays repeat within a year.
  private static let maxDays = 400
  /// Number of days by which the local day of a moment may differ from that of its alarm: some zones skipped a day.
  private static let margin = 2

  /// Creates a schedule. `isHoliday`: returns true for a day on which `restsOnHolidays` applies.
  public init(_ alarms: [Alarm], in zone: ZoneRules, isHoliday: @escaping (CalendarDay) -> Bool = { _ in false }) {
    (self.alarms, self.zone, self.isHoliday) = (alarms, zone, isHoliday)
  }

  /// Returns the first occurrence after a moment, in seconds since 1970; nil without one within 400 days, apart from
  /// alarms that ring once.
  public func next(after moment: Int64) -> AlarmOccurrence? {
    let first = zone.local(at: moment).day.number - Self.margin
    var found: AlarmOccurrence?
    for (number, alarm) in alarms.enumerated() where alarm.isOn {
      if case .once(let day) = alarm.repetition {
        Self.choose(occurrence(of: number, on: day), after: moment, &found)
        continue
      }
      for day in first...first + Self.maxDays {
        guard let occurrence = occurrence(of: number, on: CalendarDay(number: day)), occurrence.moment > moment else {
          continue
        }
        Self.choose(occurrence, after: moment, &found)
        break
      }
    }
    return found
  }

  /// Returns the last occurrence after one moment and not after another, in seconds since 1970.
  public func last(after start: Int64, until end: Int64) -> AlarmOccurrence? {
    guard start < end else { return nil }
    let last = zone.local(at: end).day.number + Self.margin
    var found: AlarmOccurrence?
    for number in alarms.indices {
      // Only the last days matter, because an older occurrence of the same alarm is earlier.
      for day in (last - Self.margin - 9...last).reversed() {
        guard let occurrence = occurrence(of: number, on: CalendarDay(number: day)), occurrence.moment <= end,
          occurrence.moment > start
        else { continue }
        if found.map({ occurrence.moment > $0.moment }) ?? true { found = occurrence }
        break
      }
    }
    return found
  }

  private func occurrence(of number: Int, on day: CalendarDay) -> AlarmOccurrence? {
    let alarm = alarms[number]
    guard alarm.rings(on: day, isHoliday: isHoliday) else { return nil }
    let moment = zone.moment(of: day, hour: alarm.minute / 60, minute: alarm.minute % 60)
    return AlarmOccurrence(number: number, day: day, moment: moment)
  }

  /// Replaces `found` by an earlier occurrence.
  private static func choose(_ occurrence: AlarmOccurrence?, after moment: Int64, _ found: inout AlarmOccurrence?) {
    guard let occurrence, occurrence.moment > moment else { return }
    if found.map({ occurrence.moment < $0.moment }) ?? true { found = occurrence }
  }
}
