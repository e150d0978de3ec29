import Foundation
import SeededRandom
import Testing
import Units

@testable import Alarms

/// The moments of alarms.
struct AlarmScheduleTests {
  private static func zone(_ name: String) throws -> ZoneRules {
    try ZoneRules(Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name))))
  }

  private static func alarm(_ minute: Int, _ days: Weekdays = .everyDay) -> Alarm {
    Alarm(minute: minute, .weekly(days), source: "A")
  }

  @Test("A weekly alarm rings on its days at its local time, also across a change of the offset")
  func weekly() throws {
    let berlin = try Self.zone("Europe/Berlin")
    let schedule = AlarmSchedule([Self.alarm(390, Weekdays(rawValue: 0x3E))], in: berlin)
    // Friday, 2027-03-26, 07:00 in summer is 06:00 UTC from Sunday on.
    var moment = CalendarDay(2027, 3, 26).seconds + 6 * 3_600
    var days: [Int] = []
    for _ in 0..<5 {
      let next = try #require(schedule.next(after: moment))
      let local = berlin.local(at: next.moment)
      #expect(local.hour == 6 && local.minute == 30 && local.day == next.day)
      days.append(next.day.weekday)
      moment = next.moment
    }
    #expect(days == [1, 2, 3, 4, 5])
  }

  @Test("An alarm at a skipped time rings at the end of the gap, and an alarm at a repeated time rings once")
  func changes() throws {
    let schedule = AlarmSchedule([Self.alarm(150)], in: try Self.zone("Europe/Berlin"))
    let spring = CalendarDay(2027, 3, 28).seconds
    #expect(schedule.next(after: spring)?.moment == spring + 3_600)
    let autumn = CalendarDay(2027, 10, 31).seconds
    #expect(schedule.next(after: autumn)?.moment == autumn + 1_800)
    #expect(schedule.next(after: autumn + 1_800)?.day == CalendarDay(2027, 11, 1))
    #expect(schedule.last(after: autumn + 1_800, until: autumn + 7_200) == nil)
  }

  @Test("Switched off, skipped and holiday occurrences do not ring")
  func quiet() throws {
    let day = CalendarDay(2027, 3, 17)
    var (off, skipped, free) = (Self.alarm(60), Self.alarm(120), Self.alarm(180))
    (off.isOn, skipped.skipped, free.restsOnHolidays) = (false, day, true)
    let schedule = AlarmSchedule([off, skipped, free], in: .utc) { $0 == day }
    let next = try #require(schedule.next(after: day.seconds))
    #expect(next.number == 1 && next.day == CalendarDay(2027, 3, 18))
    #expect(AlarmSchedule([off], in: .utc).next(after: 0) == nil)
  }

  @Test("An alarm for one day rings on that day only, even years later")
  func once() throws {
    let day = CalendarDay(2032, 2, 29)
    let schedule = AlarmSchedule([Alarm(minute: 1_439, .once(day), source: "A")], in: .utc)
    let next = try #require(schedule.next(after: 1_800_000_000))
    #expect(next.moment == day.seconds + 86_340 && next.day == day)
    #expect(schedule.next(after: next.moment) == nil)
  }

  @Test("The next and the last occurrence agree with a search through each minute")
  func exhaustive() throws {
    var chance = SeededGenerator(3)
    for name in ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns"] {
      let zone = try Self.zone(name)
      for _ in 0..<20 {
        let alarms = (0..<3).map { _ in
          Self.alarm(
            Int.random(in: 0..<1_440, using: &chance), Weekdays(rawValue: UInt8.random(in: 1...127, using: &chance)))
        }
        let schedule = AlarmSchedule(alarms, in: zone)
        let start = CalendarDay(2027, [3, 4, 10, 11].randomElement(using: &chance) ?? 3, 1).seconds
        let moment = start + Int64.random(in: 0..<3_000_000, using: &chance) / 60 * 60
        let next = try #require(schedule.next(after: moment))
        #expect(
          schedule.last(after: moment, until: next.moment) == next
            || schedule.last(after: moment, until: next.moment)?.moment == next.moment)
        #expect(schedule.last(after: moment, until: next.moment - 1) == nil)
        // Between, no alarm's time is shown for the first time on one of its days.
        for minute in stride(from: moment + 60, to: next.moment, by: 60) {
          let local = zone.local(at: minute)
          let isDue = alarms.contains { alarm in
            guard case .weekly(let days) = alarm.repetition else { return false }
            return alarm.minute == local.secondOfDay / 60 && days.contains(day: local.day.weekday)
              && zone.moment(of: local.day, hour: local.hour, minute: local.minute) == minute
          }
          #expect(!isDue, "\(name) \(minute)")
        }
      }
    }
  }
}
