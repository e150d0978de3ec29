import DirectoryClient
import Testing
import Units

struct UpdateRuleTests {
  private static let now = CalendarDay.earliestClock.seconds + 400 * 86_400
  private static let day: Int64 = 86_400

  @Test(
    "The timer fetches an old or broken copy, and nothing before the owner did (G2)",
    arguments: [
      (.absent, 7, now, false), (.broken, 7, now, true), (.broken, 0, now, false),
      (.dated(now - 7 * day), 7, now, true), (.dated(now - 7 * day + 1), 7, now, false),
      (.dated(now - 8 * day), 0, now, false), (.dated(now - 365 * day), 365, now, true), (.dated(now), 1, now, false),
      // The clock was wrong when the copy was dated.
      (.dated(now + day), 7, now, false), (.dated(now + day + 1), 7, now, true), (.dated(.max), 7, now, true),
      (.dated(.min), 7, now, true), (.dated(0), 7, now, true),
      // The clock is not set yet.
      (.dated(now), 7, 0, false), (.broken, 7, CalendarDay.earliestClock.seconds - 1, false),
      (.dated(0), 7, CalendarDay.earliestClock.seconds, true),
    ] as [(UpdateRule.Copy, Int, Int64, Bool)])
  func due(_ copy: UpdateRule.Copy, _ days: Int, _ now: Int64, _ isDue: Bool) {
    #expect(UpdateRule.isDue(copy, after: days, now: now) == isDue)
  }
}
