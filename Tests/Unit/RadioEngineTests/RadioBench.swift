import Units

@testable import Blocks
@testable import Network
@testable import RadioEngine

/// A radio without threads on a test's bench, and what it told.
final class RadioBench {
  let engine: FakeEngine
  let radio: Radio
  private var events: [Event] = []

  init(_ settings: RadioSettings = RadioSettings(), adapt: (FakeEngine) -> Void = { _ in }) throws {
    engine = try FakeEngine()
    adapt(engine)
    radio = Radio(settings, engine)
    radio.onEvent = { [unowned self] event, _ in events.append(event) }
    _ = engine.takeOrders()
  }

  /// The programme that was begun last.
  private var epoch: UInt32 { engine.epoch }

  /// The orders since the last call.
  func orders() -> [FakeEngine.Order] { engine.takeOrders() }

  /// The events since the last call.
  func told() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Forgets what was told and ordered so far.
  func forget() { _ = (orders(), told()) }

  /// Lets so many seconds pass, and goes round once.
  func step(after seconds: Double = 0) {
    engine.now = engine.now + Duration(seconds: seconds)
    radio.step(.zero)
  }

  /// Has the net thread tell something of the programme that was begun last.
  func net(_ notices: NetNotice...) {
    engine.netNotices += notices.map { (epoch, $0) }
    step()
  }

  /// Has the decode thread tell something of the same.
  func decode(_ notices: DecodeNotice...) {
    engine.decodeNotices += notices.map { (epoch, $0) }
    step()
  }

  /// What sounds now: a place of the programme, after the last seek.
  func sound(at seconds: Double, seek: UInt32 = 0) {
    let place = AudiblePosition(seek: seek, at: StreamTime(seconds: seconds), played: StreamTime(seconds: seconds))
    engine.heard = (epoch, place)
    engine.isSounding = true
    engine.firstSound = engine.now
    step()
  }

  /// What is held.
  func hold(_ range: ClosedRange<Double>) {
    engine.oldest = StreamTime(seconds: range.lowerBound)
    engine.written = StreamTime(seconds: range.upperBound)
  }

  // MARK: On the way to a state

  static let station = "http://radio.example/live"
  static let file = "http://radio.example/talk.mp3"

  static func facts(isLive: Bool, seconds: Double? = nil, isSeekable: Bool = true) -> StationFacts {
    StationFacts(
      url: isLive ? station : file, name: isLive ? "Radio" : nil, genre: nil, homePage: nil, contentType: "audio/mpeg",
      toldBitRate: nil, metaint: nil, isLive: isLive, byteCount: nil, isSeekable: isSeekable && !isLive,
      duration: seconds.map { StreamTime(seconds: $0) })
  }

  /// What a radio can be doing.
  enum Situation: String, CaseIterable {
    case stopped, connecting, buffering, playing, lost, starved, paused, resting, file, pausedFile, suspended
  }

  /// A radio in a situation, which has told and ordered nothing since. What plays has 20 s held and is at second 5.
  static func inSituation(
    _ situation: Situation, _ settings: RadioSettings = RadioSettings(), adapt: (FakeEngine) -> Void = { _ in }
  ) throws -> RadioBench {
    let bench = try RadioBench(settings, adapt: adapt)
    try bench.reach(situation)
    bench.forget()
    return bench
  }

  private func reach(_ situation: Situation) throws {
    switch situation {
    case .stopped: return
    case .connecting: radio.tune(StationRequest(url: Self.station))
    case .buffering:
      radio.tune(StationRequest(url: Self.station))
      net(.connecting(url: Self.station), .connected(Self.facts(isLive: true)))
    case .playing: play(Self.facts(isLive: true))
    case .lost:
      play(Self.facts(isLive: true))
      net(.lost)
    case .starved:
      play(Self.facts(isLive: true))
      engine.isSounding = false
      decode(.starved)
    case .paused:
      play(Self.facts(isLive: true))
      radio.pause()
    case .resting:
      play(Self.facts(isLive: true))
      radio.pause()
      step(after: 301)
    case .file: play(Self.facts(isLive: false, seconds: 100))
    case .pausedFile:
      play(Self.facts(isLive: false, seconds: 100))
      radio.pause()
    case .suspended:
      play(Self.facts(isLive: true))
      radio.suspend()
    }
  }

  private func play(_ facts: StationFacts) {
    radio.tune(StationRequest(url: facts.isLive ? Self.station : Self.file))
    net(.connecting(url: facts.url), .connected(facts))
    hold(0...20)
    decode(Self.format, .flowing)
    sound(at: 5)
  }

  /// MP3 of 44,100 Hz in stereo.
  static let format = DecodeNotice.format(
    codec: .mpegLayer3, rate: SampleRate(44_100), channels: 2, output: SampleRate(44_100))

  /// A list of files at http://h/, of which the first, of 60 s, is held whole and heard at second 5.
  static func inList(_ names: String...) throws -> RadioBench {
    let bench = try RadioBench()
    bench.radio.tune(StationRequest(url: "http://h/list"))
    let items = names.map { FileList.Item(url: StationAddress("http://h/\($0)"), title: $0.uppercased()) }
    bench.engine.openedList = FileList(url: "http://h/list", isFeed: false, items: items)
    var facts = facts(isLive: false, seconds: 60)
    facts.item = 0
    bench.net(.listed, .connected(facts))
    bench.hold(0...60)
    bench.decode(format, .flowing)
    bench.sound(at: 5)
    return bench
  }
}
