import Listings
import Testing
import Units

/// The current event and the time of the next request: early, late and unknown events, also when clocks change.
@Suite struct NowPlayingScheduleTests {
  struct Plan: Sendable, CustomStringConvertible {
    var description: String
    /// Title, start, duration and further fields.
    var events: [NowPlayingEvent]
    /// Time in New York on a winter day.
    var now = "10:00:30"
    var delay = 0.0
    /// The title and the number of seconds since its start; nil if unknown.
    var song: String?
    var ago: Double?
    var wait: Double
  }

  private static func event(
    _ title: String, _ start: String? = nil, _ length: Double? = nil, _ phase: NowPlayingEvent.Phase? = nil,
    isSong: Bool = true
  ) -> NowPlayingEvent {
    NowPlayingFeedTests.event(title, nil, start, length) { ($0.phase, $0.isSong) = (phase, isSong) }
  }

  static let plans = [
    Plan(
      description: "until its end", events: [event("A", "10:00:00", 180)], song: "A", ago: 30, wait: 150),
    Plan(
      description: "until the next begins", events: [event("A", "10:00:00"), event("B", "10:02:00")], song: "A",
      ago: 30,
      wait: 90),
    Plan(
      description: "whichever of the two is earlier", events: [event("A", "10:00:00", 180), event("B", "10:02:00")],
      song: "A", ago: 30, wait: 90),
    Plan(
      description: "the delay is added", events: [event("A", "10:00:00", 180)], delay: 20, song: "A", ago: 30, wait: 170
    ),
    Plan(
      description: "a long delay waits no longer than a song", events: [event("A", "10:00:00", 60)], delay: 900,
      song: "A", ago: 30, wait: 90),
    Plan(
      description: "a delay before it", events: [event("A", "10:00:00", 180)], delay: -10, song: "A", ago: 30, wait: 140
    ),
    Plan(
      description: "a delay before it, near the end", events: [event("A", "10:00:00", 38)], delay: -10, song: "A",
      ago: 30, wait: 8),
    Plan(
      description: "never within 5 s", events: [event("A", "10:00:00", 31)], song: "A", ago: 30, wait: 5),
    Plan(description: "without times every 15 s", events: [event("A")], song: "A", ago: nil, wait: 15),
    Plan(description: "a length without a start", events: [event("A", nil, 180)], song: "A", ago: nil, wait: 15),
    Plan(description: "a start without a length", events: [event("A", "10:00:00")], song: "A", ago: 30, wait: 15),
    Plan(
      description: "ten minutes at most", events: [event("A", "10:00:00", 7_200)], song: "A", ago: 30, wait: 600),
    Plan(
      description: "a list of what was, the newest first",
      events: [event("B", "09:58:00", 180), event("A", "09:55:00", 180)], song: "B", ago: 150, wait: 30),
    Plan(
      description: "a list in the order of time",
      events: [event("A", "09:55:00", 180), event("B", "09:58:00", 180), event("C", "10:01:00")], song: "B", ago: 150,
      wait: 30),
    Plan(
      description: "a late event: the old one is over", events: [event("A", "09:57:00", 180)], song: "A", ago: 210,
      wait: 5),
    Plan(
      description: "a late event, long over", events: [event("A", "09:50:00", 180)], song: "A", ago: 630, wait: 15),
    Plan(
      description: "a late event: its status says that the old one plays on",
      events: [event("A", "09:57:00", 180, .now), event("B", "10:00:00", 60, .next)], song: "A", ago: 210, wait: 5),
    Plan(
      description: "an early event: its status says that it plays already",
      events: [event("B", "10:02:00", 180, .now)], song: "B", ago: 0, wait: 180),
    Plan(
      description: "an early event: told before it is on", events: [event("B", "10:01:30", 180)], song: nil, ago: nil,
      wait: 60),
    Plan(
      description: "clocks that differ a little", events: [event("B", "10:00:33", 60)], song: "B", ago: -3, wait: 63),
    Plan(
      description: "what is no song is not told, but its end counts",
      events: [event("Ad", "10:00:00", 60, isSong: false), event("A", "09:55:00", 300)], song: nil, ago: nil, wait: 30),
    Plan(
      description: "a clock that is far off", events: [event("A", "16:20:00", 180)], song: "A", ago: nil, wait: 15),
    Plan(
      description: "a clock that is half a day behind", events: [event("A", "22:30:00", 180)], song: "A", ago: nil,
      wait: 15),
    Plan(
      description: "an event marked as past is not current", events: [event("A", "10:00:00", 180, .past)], song: nil,
      ago: nil, wait: 15),
    Plan(
      description: "an event marked as past, before a clock that is far off",
      events: [event("A", "16:20:00", 180, .past), event("B", "17:00:00", 180)], song: "B", ago: nil, wait: 15),
    Plan(
      description: "only what comes is told", events: [event("B", nil, 60, .next)], song: nil, ago: nil, wait: 15),
    Plan(
      description: "over midnight", events: [event("A", "23:58:00", 240), event("B", "00:02:00")], now: "00:00:30",
      song: "A", ago: 150, wait: 90),
    Plan(
      description: "before midnight", events: [event("A", "23:58:00", 240), event("B", "00:02:00")], now: "23:59:30",
      song: "A", ago: 90, wait: 150),
    Plan(description: "nothing", events: [], song: nil, ago: nil, wait: 15),
  ]

  @Test("The schedule gives the current event and the next poll", arguments: plans)
  func plan(_ plan: Plan) throws {
    let zone = try #require(StationZone("EST"))
    guard case .clock(let second) = NowPlayingTime(plan.now) else { throw ListingError.empty }
    let now = Double(zone.moments(showing: CalendarDay(2026, 1, 5).seconds + Int64(second))[0])
    check(plan.events, zone, now, plan)
  }

  private func check(_ events: [NowPlayingEvent], _ zone: StationZone?, _ now: Double, _ plan: Plan) {
    var feed = NowPlayingFeed()
    feed.events = events
    let schedule = NowPlayingSchedule(feed, now: now, zone: zone, delay: plan.delay)
    #expect(schedule.song?.title == plan.song)
    #expect(schedule.start.map { now - $0 } == plan.ago)
    #expect(schedule.wait == plan.wait)
  }

  /// The clock changes of New York in 2026, in UTC.
  private static let (spring, autumn) = (
    CalendarDay(2026, 3, 8).seconds + 7 * 3_600, CalendarDay(2026, 11, 1).seconds + 6 * 3_600
  )

  @Test(
    "An event across a clock change keeps its length",
    arguments: [
      // Started at 1:58 in winter time, read at 3:01 in summer time; the next starts at 3:02.
      (spring + 60, "01:58:00", "03:02:00"), (spring - 60, "01:58:00", "03:02:00"),
      // Started at 1:58 in summer time, read at 1:01 in winter time; the next starts at 1:02.
      (autumn + 60, "01:58:00", "01:02:00"), (autumn - 60, "01:58:00", "01:02:00"),
    ])
  func clockChange(_ now: Int64, _ start: String, _ next: String) {
    let isAfter = now > Self.autumn || (now > Self.spring && now < Self.autumn - 3_600)
    let plan = Plan(
      description: "", events: [], song: "A", ago: isAfter ? 180 : 60, wait: isAfter ? 60 : 180)
    for events in [
      [Self.event("A", start, 240)], [Self.event("A", start), Self.event("B", next)],
      [Self.event("B", next, nil, .next), Self.event("A", start, nil, .now)],
    ] {
      check(events, StationZone("EST"), Double(now), plan)
    }
  }

  @Test("The station's zone counts: with another one, titles still arrive, hours off")
  func otherZone() throws {
    let zone = try #require(StationZone("EST"))
    let now = Double(zone.moments(showing: CalendarDay(2026, 7, 5).seconds + 36_030)[0])
    var feed = NowPlayingFeed()
    feed.events = [Self.event("A", "10:00:00", 180)]
    #expect(NowPlayingSchedule(feed, now: now, zone: zone, delay: 0).start == now - 30)
    for wrong in [nil, StationZone("CET"), StationZone("PST")] {
      let schedule = NowPlayingSchedule(feed, now: now, zone: wrong, delay: 0)
      #expect(schedule.song?.title == "A" && schedule.start == nil && schedule.wait == 15, "\(wrong?.place ?? "none")")
    }
  }

  @Test("Hostile figures keep the wait between 5 s and 10 min")
  func hostile() {
    for length in [nil, 1e-9, 1, 86_400] {
      for start in ["0000000000", "9999999999999", "99991231235959", "10:00:00", "29:59:59"] {
        for delay in [-3_600.0, 0, 3_600] {
          for now in [-1e18, 0.0, 1_767_600_000, 1e18] {
            var feed = NowPlayingFeed()
            feed.events = [Self.event("A", start, length), Self.event("B", "1767600010")]
            let wait = NowPlayingSchedule(feed, now: now, zone: StationZone("NST"), delay: delay).wait
            #expect(wait >= 5 && wait <= 600)
          }
        }
      }
    }
  }

  @Test(
    "Live365's feed sets its own interval",
    arguments: [(nil, 60.0), (30, 30), (0, 5), (-7, 5), (1_000_000, 600)] as [(Int?, Double)])
  func live365(_ refresh: Int?, _ wait: Double) {
    var feed = NowPlayingFeed()
    (feed.events, feed.refresh) = ([Self.event("A", "10:00:00", 5), Self.event("B")], refresh)
    let schedule = NowPlayingSchedule(live365: feed)
    #expect(schedule.song?.title == "A" && schedule.start == nil && schedule.wait == wait)
    feed.events = [NowPlayingEvent(), Self.event("B")]
    #expect(NowPlayingSchedule(live365: feed).song == nil, "the first entry is on, also where it says nothing")
  }
}
