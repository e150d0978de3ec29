import Testing
import Units

@testable import Network
@testable import RadioEngine

@Suite struct LivingSettingsTests {
  typealias Situation = RadioBench.Situation

  @Test("A radio starts with its settings")
  func begins() throws {
    var settings = RadioSettings()
    settings.waitLive = StreamTime(seconds: 4)
    settings.liveSafety = StreamTime(seconds: 3)
    settings.pauseTimeout = Duration(seconds: 9)
    let radio = Radio(settings, try FakeEngine())
    #expect(radio.hold == settings.hold && radio.liveSafety == settings.liveSafety)
    #expect(radio.pauseTimeout == settings.pauseTimeout)
  }

  @Test("A running pause uses the new timeout", arguments: [(30.0, true), (31, false)])
  func pauseTimeout(_ seconds: Double, _ rests: Bool) throws {
    let bench = try RadioBench.inSituation(.paused)
    bench.step(after: 30)
    bench.radio.pauseTimeout = Duration(seconds: seconds)
    bench.step()
    #expect(bench.radio.status.isResting == rests)
    #expect(bench.orders() == (rests ? [.rest] : []))
  }

  @Test("A pause timeout of zero leaves the connection open")
  func noPauseTimeout() throws {
    let bench = try RadioBench.inSituation(.paused)
    bench.radio.pauseTimeout = .zero
    bench.step(after: 1_000)
    #expect(!bench.radio.status.isResting)
  }

  @Test("Live uses the last safety buffer")
  func liveSafety() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.radio.liveSafety = StreamTime(seconds: 6)
    #expect(bench.orders() == [] && bench.radio.goLive() == .jumps(to: 14))
    bench.radio.liveSafety = .zero
    bench.radio.hold.waitLive = StreamTime(seconds: 2)
    #expect(bench.radio.goLive() == .jumps(to: 18))
  }

  private static func hold(live: Double, file: Double) -> HoldRule {
    var hold = HoldRule()
    (hold.policy, hold.waitLive, hold.waitFile) = (.fixed, StreamTime(seconds: live), StreamTime(seconds: file))
    return hold
  }

  /// Seconds to buffer before a start and for a refill. The rule is 5 s for stations, 2 s for files.
  static let gathered: [(Situation, Double?, Double?)] = [
    (.stopped, nil, nil), (.connecting, 5, 5), (.buffering, 5, 5), (.playing, 5, 5), (.starved, 5, 5), (.paused, 5, 5),
    (.resting, 5, 5), (.suspended, 5, 5), (.lost, 5, 5), (.file, 2, 2), (.pausedFile, 2, 2),
  ]

  @Test("Another wait applies at once, also to a running prebuffer", arguments: gathered)
  func waits(_ situation: Situation, _ start: Double?, _ refill: Double?) throws {
    let bench = try RadioBench.inSituation(situation)
    let hold = Self.hold(live: 5, file: 2)
    bench.radio.hold = hold
    let gathers: [FakeEngine.Order] =
      (refill.map { [.refill(StreamTime(seconds: $0))] } ?? [])
      + (start.map { [.start(StreamTime(seconds: $0))] } ?? [])
    #expect(bench.orders() == [.use(hold)] + gathers)
    #expect(bench.radio.hold == hold && bench.told() == [])
    bench.radio.hold = hold
    #expect(bench.orders() == [], "nothing is new")
  }

  @Test("During a reconnect and until a refill, the prebuffer is short under the new wait too")
  func reconnecting() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.net(.reconnecting(attempt: 1, delay: Duration(seconds: 1), reason: PlaybackFault(.undecodable, url: "")))
    bench.forget()
    bench.radio.hold = Self.hold(live: 5, file: 2)
    #expect(bench.orders().contains(.refill(StreamTime(seconds: 1))))
  }

  @Test("A steered station uses the new distance")
  func steered() throws {
    var settings = RadioSettings()
    settings.steers = true
    let bench = try RadioBench.inSituation(.playing, settings)
    #expect(bench.engine.driftAim > .zero)
    bench.radio.hold = Self.hold(live: 5, file: 2)
    #expect(bench.engine.driftAim == StreamTime(seconds: 5))
    bench.engine.driftAim = StreamTime(seconds: 20)
    bench.radio.hold.waitFile = StreamTime(seconds: 3)
    #expect(bench.engine.driftAim == StreamTime(seconds: 20), "the burst stays held")
  }

  @Test("A pipe reader's buffer counts beyond the live distance, as it cannot be decoded")
  func steeredForReader() throws {
    var settings = RadioSettings()
    settings.steers = true
    let fed = try RadioBench.inSituation(.playing, settings) { $0.readerDelay = StreamTime(seconds: 8) }
    fed.radio.hold = Self.hold(live: 30, file: 2)
    #expect(fed.engine.driftAim == StreamTime(seconds: 38))
  }

  @Test("The current request changes, and the net thread is notified", arguments: Situation.allCases)
  func adjusts(_ situation: Situation) throws {
    let bench = try RadioBench.inSituation(situation)
    let isTuned = bench.radio.adjust(dataTimeout: Duration(seconds: 3))
    #expect(isTuned == (situation != .stopped))
    #expect(bench.orders() == (isTuned ? [.adjust(RequestChange(dataTimeout: Duration(seconds: 3)))] : []))
  }

  @Test("Following items, and the file at another position, use the last change")
  func adjustsFollowers() {
    var queue = ItemQueue()
    queue.adjust(RequestChange(userAgent: "a"))
    #expect(queue.request == nil && queue.station == nil)
    queue.tune(StationRequest(url: "http://h/list"))
    queue.adjust(RequestChange(userAgent: "b"))
    #expect(queue.station?.userAgent == "b" && queue.request == nil)
    queue.begin(StationRequest(url: "http://h/list"))
    queue.store(
      FileList(url: "http://h/list", isFeed: true, items: [FileList.Item(url: "http://h/1", title: nil)]))
    queue.adjust(RequestChange(dataTimeout: Duration(seconds: 3)))
    #expect(queue.request?.dataTimeout == Duration(seconds: 3))
    let item = queue.request(for: 0) { _ in 0 }
    #expect(item?.dataTimeout == Duration(seconds: 3) && item?.userAgent == "b")
  }
}
