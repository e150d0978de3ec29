import Testing
import Units

@testable import Network
@testable import RadioEngine

@Suite struct TransportTests {
  static let rules = TransportRules(
    safety: StreamTime(seconds: 10), hold: HoldRule(), pauseTimeout: Duration(milliseconds: 300_000))

  enum State: String, CaseIterable {
    case stopped, connecting, buffering, playing, starved, paused, held, resting, restingHeld, file, pausedFile, away
  }

  /// The programme in a state: a playing programme has 20 s buffered and is at second 5.
  static func look(_ state: State) -> ProgrammeSnapshot {
    var look = ProgrammeSnapshot(now: MonotonicTime(milliseconds: 1_000_000))
    switch state {
    case .stopped, .connecting: return look
    case .file, .pausedFile, .away: look.facts = RadioBench.facts(isLive: false, seconds: 100)
    default: look.facts = RadioBench.facts(isLive: true)
    }
    if state == .buffering || state == .away { return look }
    look.audible = AudiblePosition(seek: 0, at: StreamTime(seconds: 5), played: StreamTime(seconds: 5))
    look.written = StreamTime(seconds: 20)
    return look
  }

  static func transport(_ state: State) -> Transport {
    var transport = Transport(rules)
    let look = look(state)
    if state == .stopped { return transport }
    _ = transport.begin(at: .zero, keepsPause: false, look)
    if state == .connecting { return transport }
    transport.connected(turnedOutFile: false, look)
    _ = transport.gathers(look)
    if state == .buffering { return transport }
    _ = transport.flows()
    _ = transport.sounds(at: look.now)
    switch state {
    case .starved: _ = transport.starved(at: look.now)
    case .paused, .pausedFile: _ = transport.pause(.user, look)
    case .held: _ = transport.interrupt(look)
    case .resting: _ = (transport.pause(.user, look), transport.rest(look))
    case .restingHeld: _ = (transport.interrupt(look), transport.rest(look))
    case .away: _ = transport.leave(StreamTime(seconds: 65), for: StreamTime(seconds: 65), look)
    default: break
    }
    return transport
  }

  static func later(_ look: ProgrammeSnapshot, _ seconds: Int64) -> ProgrammeSnapshot {
    var look = look
    look.now = look.now + Duration(milliseconds: 1_000 * seconds)
    return look
  }

  static func text(_ action: Transport.Action) -> String {
    switch action {
    case .refuse(let refusal): "refuse(\(refusal))"
    case .emit(let event): "tell(\(event.name))"
    case .pause(let isPaused): isPaused ? "silence" : "sound"
    case .holdDistance(let isKept): isKept ? "keep" : "keepNot"
    case .seek(let place, _, let isExact): "seek(\(Int(place.seconds)))\(isExact ? "exactly" : "")"
    case .leave(let place): "leave(\(Int(place.seconds)))"
    case .wakeRenderThread: "call"
    case .rest, .connectAgain, .leap: "\(action)"
    }
  }

  @Test("From every state a new programme leads to audio", arguments: State.allCases)
  func sounds(_ state: State) {
    var transport = Self.transport(state)
    _ = transport.begin(at: .zero, keepsPause: false, Self.look(.connecting))
    _ = transport.gathers(Self.look(.buffering))
    _ = transport.flows()
    #expect(transport.sounds(at: .zero) == nil, "it was not heard before")
    #expect(transport.phase == .playing && transport.state == .playing)
  }

  // MARK: The position

  @Test("The position is a seek's goal until audible; reading it changes nothing", arguments: [false, true])
  func position(_ isHeard: Bool) {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    _ = transport.go(to: StreamTime(seconds: 12), look)
    #expect(transport.position(look) == StreamTime(seconds: 12) && transport.isSeeking)
    look.audible = AudiblePosition(seek: 1, at: StreamTime(seconds: 12.5), played: .zero)
    let before = transport
    for _ in 0..<3 { #expect(transport.position(look) == StreamTime(seconds: 12.5)) }
    #expect(transport == before)
    if let heard = look.audible, isHeard { transport.recordPosition(heard) }
    #expect(transport.isSeeking == !isHeard)
  }

  @Test("Turns of a knob add up until the last goal is audible")
  func addsUp() {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    for _ in 0..<3 { _ = transport.go(to: transport.position(look) + StreamTime(seconds: 2), look) }
    #expect(transport.position(look) == StreamTime(seconds: 11) && transport.seek == 3)
    look.audible = nil
    #expect(transport.position(look) == StreamTime(seconds: 11))
  }

  @Test("A found goal is the position; an older seek's is ignored")
  func finds() {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    _ = transport.go(to: StreamTime(seconds: 12), look)
    #expect(transport.found(StreamTime(seconds: 11.9), 0, look).isEmpty)
    look.base = StreamTime(seconds: 10)
    let told = transport.found(StreamTime(seconds: 11.5), 1, look)
    #expect(told == [.leap, .emit(.seekDone(position: 1.5, requested: 2))])
    #expect(transport.position(look) == StreamTime(seconds: 11.5))
    let leapt = transport.found(StreamTime(seconds: 14), 1, from: StreamTime(seconds: 13), look)
    #expect(leapt == [.leap, .emit(.seekDone(position: 4, requested: 3))])
  }

  @Test("Audio that a device did not play is repeated silently, unless dropped")
  func goesBack() {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    let place = StreamTime(seconds: 4)
    #expect(transport.goBack(to: place) == [.seek(place, 1, isExact: true)])
    #expect(transport.found(place, 1, look).isEmpty)
    look.audible = nil
    #expect(transport.found(StreamTime(seconds: 6), 1, look).count == 2)
  }

  @Test("A file started inside is there before its audio, and no further than its length")
  func begins() {
    var (transport, look) = (Transport(Self.rules), Self.look(.connecting))
    _ = transport.begin(at: StreamTime(seconds: 150), keepsPause: false, look)
    #expect(transport.position(look) == StreamTime(seconds: 150) && transport.isAway)
    look.facts = RadioBench.facts(isLive: false, seconds: 100)
    transport.connected(turnedOutFile: false, look)
    #expect(transport.position(look) == StreamTime(seconds: 100) && transport.isAway)
    #expect(transport.flows() == [.emit(.seekDone(position: 100, requested: 150))])
    #expect(!transport.isAway)
  }

  @Test("A live station has no start position")
  func liveHasNoPlace() {
    var (transport, look) = (Transport(Self.rules), Self.look(.connecting))
    _ = transport.begin(at: StreamTime(seconds: 50), keepsPause: false, look)
    look.facts = RadioBench.facts(isLive: true)
    transport.connected(turnedOutFile: false, look)
    #expect(transport.position(look) == .zero && !transport.isAway)
  }

  // MARK: Pause and live

  @Test("A pause moves the listener behind live, until a return to live")
  func behindLive() {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    #expect(transport.timeShift(look) == 0 && transport.isAtLive && transport.buffered(look) == StreamTime(seconds: 15))
    _ = transport.pause(.user, look)
    look.written = StreamTime(seconds: 27)
    #expect(transport.timeShift(look) == 7 && !transport.isAtLive)
    _ = transport.goLive(look)
    #expect(transport.isAtLive && transport.timeShift(look) == 0)
  }

  @Test(
    "Going live has no effect if the sink already reaches it: no audio repeats", arguments: [(4.9, true), (5, false)])
  func liveBehindSink(_ seconds: Double, _ goes: Bool) {
    var (transport, look) = (Self.transport(.playing), Self.look(.playing))
    look.inSink = StreamTime(seconds: seconds)
    #expect(transport.goLive(look).contains { if case .seek = $0 { true } else { false } } == goes)
  }

  @Test("A pause includes the machine's sleep")
  func sleeps() {
    var transport = Self.transport(.paused)
    let early = Self.later(Self.look(.paused), 100)
    #expect(transport.due(early).isEmpty)
    transport.slept(Duration(milliseconds: 200_000))
    #expect(transport.due(early).count == 2)
  }

  @Test("Without a timeout no station rests by itself")
  func noTimeout() {
    var rules = Self.rules
    rules.pauseTimeout = .zero
    var transport = Transport(rules)
    let look = Self.look(.paused)
    _ = (transport.begin(at: .zero, keepsPause: false, look), transport.pause(.user, look))
    #expect(transport.due(Self.later(look, 10_000)).isEmpty)
  }

  @Test("A rested station is lost from the network's report until it reconnects")
  func lostAfterRest() {
    var transport = Self.transport(.resting)
    _ = transport.resume(Self.look(.resting))
    #expect(transport.state == .buffering && transport.phase == .buffering)
    transport.connection(isLost: true)
    #expect(transport.state == .connecting && transport.phase == .buffering)
    transport.connection(isLost: false)
    #expect(transport.state == .buffering)
    transport.connection(isLost: true)
    #expect(transport.state == .connecting)
    transport.stop()
    #expect(transport.state == .stopped)
  }

  @Test("A station inaudible before an interruption starts near live")
  func skipsUnheard() {
    var transport = Self.transport(.buffering)
    var look = Self.look(.buffering)
    _ = (transport.flows(), transport.interrupt(look))
    look.written = StreamTime(seconds: 25)
    let place = StreamTime(seconds: 15)
    #expect(
      transport.interruptionEnds(look) == [.holdDistance(false), .seek(place, 1, isExact: false), .pause(false)])
  }

  @Test("An underrun during a pause prebuffers at resume")
  func gathersAfterPause() {
    var transport = Self.transport(.paused)
    let look = Self.look(.paused)
    let isHeard = transport.starved(at: look.now)
    #expect(!isHeard)
    #expect(transport.resume(look) == [.pause(false), .emit(.buffering(held: 15, target: 1))])
  }

  @Test("A resume before the first answer restarts the time of the search")
  func pausedSearch() {
    for isSuspended in [false, true] {
      var (transport, look) = (Self.transport(.connecting), Self.look(.connecting))
      _ = isSuspended ? transport.interrupt(look) : transport.pause(.user, look)
      let actions = isSuspended ? transport.interruptionEnds(look) : transport.resume(look)
      #expect(actions == [.pause(false), .connectAgain] && transport.run == .running(.connecting))
      look.facts = RadioBench.facts(isLive: true)
      _ = transport.pause(.user, look)
      #expect(!transport.resume(look).contains(.connectAgain))
    }
  }

  @Test("A file paused before its audio prebuffers like a file at resume")
  func fileGathersAfterPause() {
    var (transport, look) = (Transport(Self.rules), Self.look(.connecting))
    _ = transport.begin(at: .zero, keepsPause: false, look)
    look.facts = RadioBench.facts(isLive: false, seconds: 100)
    transport.connected(turnedOutFile: false, look)
    let told = Transport.Action.emit(.buffering(held: 0, target: HoldRule().waitFile.seconds))
    #expect(transport.gathers(look) == [told])
    _ = transport.pause(.user, look)
    #expect(transport.resume(look) == [.pause(false), told])
  }

  @Test("A station that returns during a pause is still paused, for the same reason")
  func stillPaused() {
    #expect(Self.transport(.playing).stillPaused.isEmpty)
    #expect(Self.transport(.paused).stillPaused == [.emit(.paused(.user))])
    #expect(Self.transport(.resting).stillPaused == [.emit(.paused(.timeout))])
    #expect(Self.transport(.held).stillPaused == [.emit(.paused(.interruption))])
  }

  // MARK: Files

  @Test(
    "A buffered position of a file is sought with the run-up, another one requested",
    arguments: [
      (2.0, "leave(2)"), (2.3, "leave(2)"), (2.5, "keep seek(2) leap"), (19.9, "seek(19) leap"), (20, "seek(20) leap"),
      (20.1, "leave(20)"),
    ])
  func heldPlaces(_ seconds: Double, _ expected: String) {
    var (transport, look) = (Self.transport(.file), Self.look(.file))
    look.oldest = StreamTime(seconds: 2)
    let actions = transport.go(to: StreamTime(seconds: seconds), look)
    #expect(actions.map(Self.text).joined(separator: " ") == expected)
  }

  @Test("The end of a completely received file is buffered")
  func heldEnd() {
    var (transport, look) = (Self.transport(.file), Self.look(.file))
    look.hasEnded = true
    #expect(transport.go(to: StreamTime(seconds: 90), look).map(Self.text) == ["seek(20)", "leap"])
  }

  @Test("A file's length is announced, played, or received")
  func durations() {
    let transport = Self.transport(.file)
    var look = Self.look(.file)
    #expect(transport.duration(look) == StreamTime(seconds: 100))
    look.facts?.duration = StreamTime(seconds: 4)
    #expect(transport.duration(look) == StreamTime(seconds: 5), "it sounds for longer than was told")
    look.hasEnded = true
    #expect(transport.duration(look) == StreamTime(seconds: 4))
    look.facts?.duration = nil
    #expect(transport.duration(look) == StreamTime(seconds: 20))
    look.hasEnded = false
    #expect(transport.duration(look) == nil)
    look.facts?.isLive = true
    #expect(transport.duration(look) == nil)
  }
}
