import Listings
import Testing
import Units

/// Times and durations in feeds.
@Suite struct NowPlayingTimeTests {
  private static let day = CalendarDay(2017, 6, 20).seconds

  @Test(
    "Times are parsed in the forms of feeds",
    arguments: [
      Case("09:41:18", NowPlayingTime.clock(34_878)), Case(" 9:41 ", .clock(34_860)), Case("9:41 pm", .clock(78_060)),
      Case("12:00:05 AM", .clock(5)), Case("12:30 p.m.", .clock(45_000)), Case("25:10:00", .clock(90_600)),
      Case("09:41:18.500", .clock(34_878)), Case("06/20/2017 7:42:20 PM", .clock(70_940)),
      Case("2017-06-20 19:42:20", .reading(day + 70_940)), Case("2017-06-20T19:42:20", .reading(day + 70_940)),
      Case("20170620194220", .reading(day + 70_940)), Case("2017-06-20T19:42:20Z", .moment(day + 70_940)),
      Case("2017-06-20T19:42:20+03:00", .moment(day + 60_140)),
      Case("Tue, 20 Jun 2017 19:42:20 GMT", .moment(day + 70_940)),
      Case("Tue, 20 Jun 2017 15:42:20 EDT", .moment(day + 70_940)),
      Case("2017-06-20T19:42:20+16:00", .reading(day + 70_940)),
      Case("2017-06-20T19:42:20-9900", .reading(day + 70_940)),
      Case("2017-06-20T19:42:20+15:00", .moment(day + 16_940)),
      Case("1497987740", .moment(1_497_987_740)),
      Case("1497987740123", .moment(1_497_987_740)),
    ])
  func times(_ example: Case<NowPlayingTime>) { #expect(NowPlayingTime(example.text) == example.outcome) }

  @Test(
    "Text without a time of day is refused",
    arguments: ["", " ", "noon", "2017-06-20", "9", "941", "99:99", "9:4", "31:00", "20179920194220", "::", "1:xx"])
  func noTimes(_ text: String) { #expect(NowPlayingTime(text) == nil) }

  @Test(
    "Lengths are seconds, milliseconds or minutes",
    arguments: [
      Case("183", 183.0), Case("183.5", 183.5), Case("180000", 180), Case("918240", 918.24), Case("3:03", 183),
      Case("37:12", 2_232), Case("0:03:03", 183), Case("00:03:03.500", 183.5), Case(" 90 ", 90),
    ])
  func lengths(_ example: Case<Double>) { #expect(NowPlayingLength.seconds(example.text) == example.outcome) }

  @Test(
    "Other lengths are refused",
    arguments: ["", "0", "-5", "1:2:3:4", "3 min", "1e9", "nan", "99999999999999", "3::4", "."])
  func noLengths(_ text: String) { #expect(NowPlayingLength.seconds(text) == nil) }

  // MARK: Time of day

  /// A time in a zone.
  private static func local(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ zone: String) -> Int64 {
    let reading = CalendarDay(2026, month, day).seconds + Int64(hour * 3_600 + minute * 60)
    return StationZone(zone).map { $0.moments(showing: reading)[0] } ?? 0
  }

  struct Meaning: Sendable, CustomStringConvertible {
    var description: String
    var zone = "EST"
    var text: String
    var now: Int64
    var outcome: Int64
  }

  @Test(
    "A clock time is the nearest moment to now, in the station's zone",
    arguments: [
      Meaning(
        description: "the same day", text: "09:41:18", now: local(1, 5, 9, 42, "EST"),
        outcome: local(1, 5, 9, 41, "EST") + 18),
      Meaning(
        description: "before midnight, seen after it", text: "23:58:00", now: local(1, 6, 0, 1, "EST"),
        outcome: local(1, 5, 23, 58, "EST")),
      Meaning(
        description: "after midnight, told before it", text: "00:02", now: local(1, 5, 23, 59, "EST"),
        outcome: local(1, 6, 0, 2, "EST")),
      Meaning(
        description: "a night that goes on to 25:10", text: "25:10", now: local(1, 6, 1, 12, "EST"),
        outcome: local(1, 6, 1, 10, "EST")),
      Meaning(
        description: "twelve hours, and no am", zone: "GMT", text: "12:30 am", now: local(7, 5, 0, 31, "GMT"),
        outcome: local(7, 5, 0, 30, "GMT")),
      Meaning(
        description: "the first 1:30 of the autumn night", text: "01:30", now: local(11, 1, 0, 59, "EST") + 1_900,
        outcome: local(11, 1, 0, 59, "EST") + 1_860),
      Meaning(
        description: "the second 1:30 of the autumn night", text: "01:30", now: local(11, 1, 0, 59, "EST") + 5_500,
        outcome: local(11, 1, 0, 59, "EST") + 5_460),
      Meaning(
        description: "3:05 after the spring hour that is left out", text: "03:05:00",
        now: local(3, 8, 1, 59, "EST") + 400,
        outcome: local(3, 8, 1, 59, "EST") + 360),
      Meaning(
        description: "a station whose clock was not set yet in spring", text: "02:05:00",
        now: local(3, 8, 1, 59, "EST") + 400, outcome: local(3, 8, 1, 59, "EST") + 360),
      Meaning(
        description: "the day before the change, seen after it", text: "23:59:00", now: local(3, 8, 0, 4, "EST"),
        outcome: local(3, 7, 23, 59, "EST")),
      Meaning(
        description: "Berlin in summer", zone: "CET", text: "20:00:00", now: local(7, 5, 20, 1, "CET"),
        outcome: CalendarDay(2026, 7, 5).seconds + 18 * 3_600),
      Meaning(
        description: "Sydney in January", zone: "AET", text: "20:00:00", now: local(1, 5, 20, 1, "AET"),
        outcome: CalendarDay(2026, 1, 5).seconds + 9 * 3_600),
      Meaning(
        description: "a date and time in the autumn hour that comes twice", zone: "CET", text: "2026-10-25 02:30:00",
        now: CalendarDay(2026, 10, 25).seconds + 5_460, outcome: CalendarDay(2026, 10, 25).seconds + 5_400),
      Meaning(
        description: "a zone in the text counts before the station's", text: "2026-01-05T14:41:18Z",
        now: local(1, 5, 9, 42, "EST"), outcome: local(1, 5, 9, 41, "EST") + 18),
    ])
  func nearest(_ meaning: Meaning) throws {
    let zone = try #require(StationZone(meaning.zone))
    #expect(NowPlayingTime(meaning.text)?.moment(near: meaning.now, in: zone) == meaning.outcome)
  }

  @Test("Without the station's zone a clock time is unknown, whatever the listener's zone")
  func noZone() {
    #expect(NowPlayingTime.clock(0).moment(near: 0, in: nil) == nil)
    #expect(NowPlayingTime.reading(0).moment(near: 0, in: nil) == nil)
    #expect(NowPlayingTime.moment(5).moment(near: 0, in: nil) == 5)
  }
}
