import Units

@testable import Blocks
@testable import Network
@testable import RadioEngine

/// A radio without threads, and its events.
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

  private var epoch: UInt32 { engine.epoch }

  /// The orders since the last call.
  func orders() -> [FakeEngine.Order] { engine.takeOrders() }

  /// The events since the last call.
  func told() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Clears the events and orders so far.
  func forget() { _ = (orders(), told()) }

  /// Advances the clock by `seconds`, and performs one step.
  func step(after seconds: Double = 0) {
    engine.now = engine.now + Duration(seconds: seconds)
    radio.step(.zero)
  }

  /// Sends notices of the net thread for the latest programme.
  func net(_ notices: NetNotice...) {
    engine.netNotices += notices.map { (epoch, $0) }
    step()
  }

  /// Sends notices of the decode thread for the latest programme.
  func decode(_ notices: DecodeNotice...) {
    engine.decodeNotices += notices.map { (epoch, $0) }
    step()
  }

  /// Sets the audible position of the programme, after the last seek.
  func sound(at seconds: Double, seek: UInt32 = 0) {
    let place = AudiblePosition(seek: seek, at: StreamTime(seconds: seconds), played: StreamTime(seconds: seconds))
    engine.heard = (epoch, place)
    engine.isSounding = true
    engine.firstSound = engine.now
    step()
  }

  /// Sets the buffered range, in seconds.
  func hold(_ range: ClosedRange<Double>) {
    engine.oldest = StreamTime(seconds: range.lowerBound)
    engine.written = StreamTime(seconds: range.upperBound)
  }

  // MARK: Situations

  static let station = "http://radio.example/live"
  static let file = "http://radio.example/talk.mp3"

  static func facts(isLive: Bool, seconds: Double? = nil, isSeekable: Bool = true) -> StationFacts {
    StationFacts(
      url: isLive ? station : file, name: isLive ? "Radio" : nil, genre: nil, homePage: nil, contentType: "audio/mpeg",
      toldBitRate: nil, metaint: nil, isLive: isLive, byteCount: nil, isSeekable: isSeekable && !isLive,
      duration: seconds.map { StreamTime(seconds: $0) })
  }

  /// The situations of a radio.
  enum Situation: String, CaseIterable {
    case stopped, connecting, buffering, playing, lost, starved, paused, resting, file, pausedFile, suspended
  }

  /// A radio in a situation, without events and orders so far. Audible programmes have 20 s buffered and are at second
  /// 5.
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

  /// MP3 at 44,100 Hz in stereo.
  static let format = DecodeNotice.format(
    codec: .mpegLayer3, rate: SampleRate(44_100), channels: 2, output: SampleRate(44_100))

  /// A list of files at http://h/. The first file has 60 s, is buffered completely, and is at second 5.
  static func inList(_ names: String...) throws -> RadioBench {
    let bench = try RadioBench()
    bench.radio.tune(StationRequest(url: "http://h/list"))
    let items = names.map { FileList.Item(url: StationAddress("http://h/\($0)"), title: $0.uppercased()) }
    let list = FileList(url: "http://h/list", isFeed: false, items: items)
    var facts = facts(isLive: false, seconds: 60)
    facts.item = 0
    bench.net(.listed(list), .connected(facts))
    bench.hold(0...60)
    bench.decode(format, .flowing)
    bench.sound(at: 5)
    return bench
  }
}
