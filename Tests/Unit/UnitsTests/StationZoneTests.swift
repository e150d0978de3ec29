import Foundation
import Testing
import Units

/// The clocks of stations, by letters.
@Suite struct StationZoneTests {
  @Test("A day has its calendar number and year")
  func days() {
    #expect(CalendarDay(1970, 1, 1).number == 0)
    #expect(CalendarDay(2026, 11, 21).seconds == 1_795_219_200)
    var (number, calendar) = (CalendarDay(1890, 1, 1).number, Calendar(identifier: .gregorian))
    calendar.timeZone = .gmt
    while number < CalendarDay(2110, 1, 1).number {
      let day = CalendarDay(number: number)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day.seconds)))
      #expect(day == CalendarDay(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
      #expect(day.year == parts.year && day.weekday + 1 == parts.weekday)
      #expect(CalendarDay(containing: day.seconds) == day && CalendarDay(containing: day.seconds + 86_399) == day)
      number += 17
    }
  }

  @Test("Zone letters are known in any case; others are not")
  func letters() {
    #expect(StationZone("EST") == StationZone("edt") && StationZone("est")?.place == "America/New_York")
    #expect(StationZone("GMT")?.place == "Europe/London" && StationZone("UTC")?.offset(at: 1_782_000_000) == 0)
    for none in ["", "XYZ", "Europe/Berlin", "E", "EST5EDT", "ÄST"] { #expect(StationZone(none) == nil) }
    #expect(StationZone.letters.count > 50)
  }

  @Test("Every zone's clocks match the tz database from 2020 to 2037", arguments: StationZone.letters)
  func agreesWithTheDatabase(_ letters: String) throws {
    let zone = try #require(StationZone(letters))
    let known = try #require(TimeZone(identifier: zone.place), "the machine knows \(zone.place)")
    func check(_ moment: Int64) {
      let date = Date(timeIntervalSince1970: Double(moment))
      #expect(zone.offset(at: moment) == known.secondsFromGMT(for: date), "\(zone.place) at \(date)")
    }
    let (first, last) = (CalendarDay(2020, 1, 1).seconds, CalendarDay(2037, 1, 1).seconds)
    for moment in stride(from: first, to: last, by: 86_400 * 5 + 3_601) { check(moment) }
    var transition = known.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(first)))
    while let moment = transition, Int64(moment.timeIntervalSince1970) < last {
      for step in [-3_600, -1, 0, 1, 3_599, 3_600] { check(Int64(moment.timeIntervalSince1970) + Int64(step)) }
      transition = known.nextDaylightSavingTimeTransition(after: moment)
    }
  }

  @Test("A clock time is one moment, two in autumn, and one in spring's missing hour")
  func moments() throws {
    let zone = try #require(StationZone("EST"))
    func reading(_ month: Int, _ day: Int, _ hour: Int) -> Int64 {
      CalendarDay(2026, month, day).seconds + Int64(hour) * 3_600
    }
    // 2026: summer time from March 8 to November 1.
    #expect(zone.moments(showing: reading(1, 5, 12)) == [reading(1, 5, 17)])
    #expect(zone.moments(showing: reading(7, 5, 12)) == [reading(7, 5, 16)])
    #expect(zone.moments(showing: reading(11, 1, 1)) == [reading(11, 1, 5), reading(11, 1, 6)])
    #expect(zone.moments(showing: reading(3, 8, 2)) == [reading(3, 8, 7)])
    #expect(zone.moments(showing: reading(3, 8, 3)) == [reading(3, 8, 7)])
    for moment in stride(from: reading(3, 7, 0), to: reading(3, 9, 0), by: 900) {
      #expect(zone.moments(showing: zone.reading(at: moment)).contains(moment))
    }
  }
}
