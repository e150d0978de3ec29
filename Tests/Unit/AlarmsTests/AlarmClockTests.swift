import Testing
import Units

@testable import Alarms

/// The course of an alarm.
struct AlarmClockTests {
  private static let due = CalendarDay(2027, 3, 17).seconds + 6 * 3_600
  private static let alarm: Alarm = {
    var alarm = Alarm(minute: 360, .weekly(.everyDay), source: "A")
    (alarm.volume, alarm.riseSeconds, alarm.minutes) = (40, 30, 5)
    return alarm
  }()

  private static func time(_ second: Double) -> MonotonicTime { .zero + Duration(seconds: 1_000 + second) }

  private static func clock(handled: Int64? = due - 86_400) -> AlarmClock {
    AlarmClock(AlarmSchedule([alarm], in: .utc), handled: handled)
  }

  /// Runs a clock through the seconds of a range after the alarm; returns the orders with their seconds.
  private static func run(
    _ clock: inout AlarmClock, _ seconds: Range<Int>, _ facts: (Int) -> AlarmFacts = { _ in AlarmFacts() }
  ) -> [(second: Int, action: AlarmAction)] {
    var all: [(second: Int, action: AlarmAction)] = []
    for second in seconds {
      let made = clock.update(facts(second), wall: due + Int64(second), at: time(Double(second)))
      all += made.map { (second, $0) }
    }
    return all
  }

  private static func loud(_ second: Int) -> AlarmFacts {
    var facts = AlarmFacts()
    (facts.hasProgramme, facts.level, facts.source) = (true, -18, "A")
    return facts
  }

  @Test("The station is received two minutes before the alarm, and rises to its volume in its time")
  func rise() throws {
    var clock = Self.clock()
    let actions = Self.run(&clock, -200..<60, Self.loud)
    let occurrence = AlarmOccurrence(number: 0, day: CalendarDay(2027, 3, 17), moment: Self.due)
    #expect(actions[0] == (-120, .prepare(occurrence)) && actions[1] == (0, .play(occurrence, volume: 10)))
    #expect(actions.filter { $0.action == .cancel }.map(\.second) == [0], "the source is heard")
    let volumes = actions.dropFirst(2).compactMap { if case .volume(let percent) = $0.action { percent } else { nil } }
    #expect(
      volumes == volumes.sorted() && volumes.last == 40 && zip([10] + volumes, volumes).allSatisfy { $1 - $0 <= 1 })
    #expect(actions.last?.second == 30 && clock.run?.isProven == true)
  }

  @Test("The tone begins after 20 s without sound, ends after 2 s of sound, and the report names both")
  func tone() throws {
    var clock = Self.clock()
    let actions = Self.run(&clock, 0..<301) { $0 < 100 ? AlarmFacts() : Self.loud($0) }
    let tones = actions.compactMap { if case .tone(let isOn) = $0.action { ($0.second, isOn) } else { nil } }
    #expect(tones.map(\.0) == [20, 101] && tones.map(\.1) == [true, false])
    let retries = actions.filter { if case .retry = $0.action { true } else { false } }.map(\.second)
    #expect(retries == [80])
    guard case .report(let report)? = actions.last?.action else { throw AlarmReport.End.expired }
    #expect(report.end == .expired && report.silentSeconds == 20 && report.toneSeconds == 80)
    #expect(report.soundSeconds == 200 && report.level == -18 && report.heard == ["A"])
    #expect(actions.suffix(2).first?.action == .silence(isExpired: true))
    #expect(clock.run == nil && clock.handled == Self.due)
  }

  @Test("An inaudible programme ends, because the tone would be silent during it")
  func inaudible() {
    var clock = Self.clock()
    let actions = Self.run(&clock, 0..<30) { _ in
      var facts = AlarmFacts()
      (facts.hasProgramme, facts.level) = (true, -80)
      return facts
    }
    #expect(actions.filter { $0.action == .drop }.map(\.second) == [20, 26])
  }

  @Test("A muted radio is made loud until the alarm was heard; from then on the listener may mute it")
  func muted() {
    var clock = Self.clock()
    let actions = Self.run(&clock, 0..<60) { second in
      var facts = Self.loud(second)
      facts.isLoud = second > 4 && second < 40
      return facts
    }
    let volumes = actions.filter { if case .volume = $0.action { true } else { false } }.map(\.second)
    #expect(volumes.prefix(5) == [0, 1, 2, 3, 4] && volumes.last == 30)
  }

  @Test("A postponed alarm rings again after its time, and a stopped one is silent at once")
  func snooze() {
    var clock = Self.clock()
    _ = Self.run(&clock, 0..<20, Self.loud)
    #expect(clock.snooze(for: Duration(seconds: 540), at: Self.time(20)) == [.pause])
    #expect(clock.snooze(for: Duration(seconds: 540), at: Self.time(21)) == [], "a postponed alarm stays")
    let actions = Self.run(&clock, 20..<600)
    #expect(actions.first.map { if case .play = $0.action { $0.second } else { -1 } } == 560)
    let end = clock.stop()
    #expect(end.contains(.silence(isExpired: false)) && clock.run == nil && clock.stop() == [])
    #expect(Self.run(&clock, 600..<700).isEmpty, "it rings once a day")
  }

  @Test(
    "After a power cut, an unanswered alarm rings within half an hour, and later is reported; an answered one is not",
    arguments: [(60, false, "rings"), (1_800, false, "rings"), (1_801, false, "missed"), (60, true, "nothing")])
  func powerCut(late: Int, isAnswered: Bool, result: String) {
    var clock = Self.clock(handled: isAnswered ? Self.due : Self.due - 86_400)
    let actions = Self.run(&clock, late..<late + 1)
    let words = actions.compactMap { action in
      switch action.action {
      case .play: "rings"
      case .report(let report): report.end == .missed && report.lateSeconds == late ? "missed" : "?"
      default: nil
      }
    }
    #expect(words == (result == "nothing" ? [] : [result]))
  }

  @Test("A clock set back does not ring twice; a clock that was years ahead does not silence the alarms")
  func clockSteps() {
    var clock = Self.clock()
    _ = Self.run(&clock, 0..<400, Self.loud)
    #expect(clock.run == nil && Self.run(&clock, -600..<300).isEmpty)
    var ahead = Self.clock(handled: Self.due + 50 * 365 * 86_400)
    #expect(Self.run(&ahead, -5..<1).contains { if case .play = $0.action { true } else { false } })
  }

  @Test("A changed list does not ring for a time that is past, and a removed alarm rings to its end")
  func changes() {
    var clock = AlarmClock(AlarmSchedule([], in: .utc), handled: nil)
    _ = Self.run(&clock, 50..<60)
    _ = clock.use(AlarmSchedule([Self.alarm], in: .utc), wall: Self.due + 60)
    #expect(Self.run(&clock, 60..<120).isEmpty)
    var ringing = Self.clock()
    _ = Self.run(&ringing, 0..<10, Self.loud)
    _ = ringing.use(AlarmSchedule([], in: .utc), wall: Self.due + 10)
    #expect(
      Self.run(&ringing, 10..<301, Self.loud).last.map { if case .report = $0.action { $0.second } else { 0 } } == 300)
  }
}

extension AlarmReport.End: Error {}
