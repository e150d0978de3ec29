import Testing
import Units

@testable import Network
@testable import RadioEngine

/// Run and position of a transport: every state at every input.
@Suite struct TransportTableTests {
  typealias State = TransportTests.State

  /// The inputs of a transport. A new input needs its cells in the table.
  enum Input: String, CaseIterable {
    case begin, beginKept, beginSuspended, stop, connecting, gathers, flows, sounds, starved, pause, resume
    case resumeSuspended, interrupt, deviceBack, dueEarly, due, rest, restRecorded, endRest, back, on, far, live, oldest
    case leave, connected, lost, slept, hears, goBack, goBackToHeard, found, foundLate
  }

  private static func suspended(_ look: ProgrammeSnapshot, isRecorded: Bool = false) -> ProgrammeSnapshot {
    var look = look
    (look.isSuspended, look.isRecorded) = (!isRecorded, isRecorded)
    return look
  }

  /// Applies an input. Returns the actions.
  private static func act(_ input: Input, _ transport: inout Transport, _ look: ProgrammeSnapshot) -> [Transport.Action]
  {
    switch input {
    case .begin: return transport.begin(at: .zero, keepsPause: false, look)
    case .beginKept: return transport.begin(at: .zero, keepsPause: true, look)
    case .beginSuspended: return transport.begin(at: .zero, keepsPause: false, suspended(look))
    case .stop: transport.stop()
    case .connecting: transport.connecting()
    case .gathers: return transport.gathers(look)
    case .flows: return transport.flows()
    case .sounds: _ = transport.sounds(at: look.now)
    case .starved: _ = transport.starved(at: look.now)
    case .pause: return transport.pause(.user, look)
    case .resume: return transport.resume(look)
    case .resumeSuspended: return transport.resume(suspended(look))
    case .interrupt: return transport.interrupt(look)
    case .deviceBack: return transport.interruptionEnds(look)
    case .dueEarly: return transport.due(TransportTests.later(look, 299))
    case .due: return transport.due(TransportTests.later(look, 300))
    case .rest: return transport.rest(look)
    case .restRecorded: return transport.rest(suspended(look, isRecorded: true))
    case .endRest: return transport.endRest()
    case .back: return transport.go(to: StreamTime(seconds: 3), look)
    case .on: return transport.go(to: StreamTime(seconds: 7), look)
    case .far: return transport.go(to: StreamTime(seconds: 65), look)
    case .live: return transport.goLive(look)
    case .oldest: return transport.goOldest(look)
    case .leave: return transport.leave(StreamTime(seconds: 65), for: StreamTime(seconds: 65), look)
    case .connected: transport.connected(turnedOutFile: false, look)
    case .lost: transport.connection(isLost: true)
    case .slept: transport.slept(Duration(milliseconds: 1_000))
    case .hears: if let heard = look.audible { transport.recordPosition(heard) }
    case .goBack: return transport.goBack(to: StreamTime(seconds: 4))
    case .goBackToHeard: return transport.repeatUnplayed(look)
    case .found: return transport.found(StreamTime(seconds: 4), 0, look)
    case .foundLate: return transport.found(StreamTime(seconds: 4), 9, look)
    }
    return []
  }

  private static let began: [Input: String] = [
    .begin: "connecting", .beginSuspended: "paused(interruption): keep tell(paused)",
  ]
  private static let running: [Input: String] = began.merging(
    [
      .beginKept: "connecting", .stop: "stopped", .connecting: "connecting", .sounds: "playing",
      .starved: "buffering", .pause: "paused(listener): keep silence tell(paused)",
      .interrupt: "paused(interruption): keep tell(paused)",
    ], uniquingKeysWith: { $1 })

  /// A seek result of the decode thread, and a repeated decode, have the same effect in every run.
  private static func finds(_ run: String) -> [Input: String] {
    [.goBack: "\(run): seek(4)exactly", .found: "\(run): leap tell(seekDone)"]
  }

  private static func goes(_ run: String, calls: Bool = false) -> [Input: String] {
    let end = calls ? "call leap" : "leap"
    return [
      .back: "\(run): keep seek(3) \(end)", .on: "\(run): seek(7) \(end)", .far: "\(run): seek(19) \(end)",
      .live: "\(run): keepNot seek(10) \(end)", .oldest: "\(run): keep seek(0) \(end)",
      .goBackToHeard: "\(run): seek(5)exactly", .leave: calls ? "\(run): call" : "buffering",
    ].merging(finds(run), uniquingKeysWith: { $1 })
  }

  private static func row(_ parts: [Input: String]...) -> [Input: String] {
    parts.reduce([:]) { $0.merging($1, uniquingKeysWith: { $1 }) }
  }

  /// Results of the inputs in each state. An input that is not listed changes nothing.
  static let table: [State: [Input: String]] = [
    .stopped: row(
      began, finds("stopped"),
      [
        .beginKept: "connecting", .deviceBack: "stopped: sound", .live: "stopped: keepNot", .leave: "stopped: call",
      ]),
    .connecting: row(
      running, finds("connecting"),
      [
        .gathers: "buffering: tell(buffering)", .deviceBack: "connecting: sound", .live: "connecting: keepNot",
        .leave: "buffering: tell(buffering)",
      ]),
    .buffering: row(running, finds("buffering"), [.deviceBack: "buffering: sound", .live: "buffering: keepNot"]),
    .playing: row(
      running, goes("playing"), [.deviceBack: "playing: sound", .leave: "buffering: tell(buffering)"]),
    .starved: row(running, goes("buffering"), [.deviceBack: "buffering: sound"]),
    .paused: row(
      began, goes("paused(listener)", calls: true),
      [
        .beginKept: "paused(listener): keep", .stop: "stopped", .resume: "buffering: sound",
        .resumeSuspended: "paused(interruption): tell(paused)", .deviceBack: "paused(listener): silence",
        .due: "resting(listener): rest tell(paused)", .rest: "resting(listener): rest tell(paused)",
      ]),
    .held: row(
      began, goes("paused(interruption)", calls: true),
      [
        .beginKept: "paused(interruption): keep", .stop: "stopped", .resume: "buffering: sound",
        .pause: "paused(listener): tell(paused)", .deviceBack: "buffering: sound",
        .due: "resting(interruption): rest tell(paused)", .rest: "resting(interruption): rest tell(paused)",
      ]),
    .resting: row(
      began, goes("resting(listener)", calls: true),
      [
        .beginKept: "paused(listener): keep", .stop: "stopped", .resume: "buffering: sound connectAgain",
        .resumeSuspended: "resting(interruption): tell(paused)", .deviceBack: "resting(listener): silence",
        .endRest: "paused(listener): connectAgain", .leave: "paused(listener): call",
      ]),
    .restingHeld: row(
      began, goes("resting(interruption)", calls: true),
      [
        .beginKept: "paused(interruption): keep", .stop: "stopped", .resume: "buffering: sound connectAgain",
        .pause: "resting(listener): tell(paused)", .deviceBack: "buffering: sound connectAgain",
        .endRest: "paused(interruption): connectAgain", .leave: "paused(interruption): call",
      ]),
    .file: row(
      running, goes("playing"),
      [.deviceBack: "playing: sound", .far: "playing: leave(65)", .leave: "buffering: tell(buffering)"]),
    .pausedFile: row(
      began, goes("paused(listener)", calls: true),
      [
        .beginKept: "paused(listener): keep", .stop: "stopped", .resume: "buffering: sound",
        .resumeSuspended: "paused(interruption): tell(paused)", .deviceBack: "paused(listener): silence",
        .far: "paused(listener): leave(65)",
      ]),
    .away: row(
      running, finds("buffering"),
      [
        .flows: "buffering: tell(seekDone)", .deviceBack: "buffering: sound", .back: "buffering: leave(3)",
        .on: "buffering: leave(7)", .far: "buffering: leave(65)",
      ]),
  ]

  private static func text(_ run: Transport.Run) -> String {
    switch run {
    case .stopped: "stopped"
    case .running(let flow): "\(flow)"
    case .paused(let pause): "\(pause.isResting ? "resting" : "paused")(\(pause.cause))"
    }
  }

  /// The states of the table with this run. A new run needs a row.
  private static func rows(of run: Transport.Run) -> [State] {
    switch run {
    case .stopped: [.stopped]
    case .running(.connecting): [.connecting]
    case .running(.buffering): [.buffering, .starved, .away]
    case .running(.playing): [.playing, .file]
    case .paused(let pause):
      switch pause.cause {
      case .listener: pause.isResting ? [.resting] : [.paused, .pausedFile]
      case .interruption: pause.isResting ? [.restingHeld] : [.held]
      }
    }
  }

  @Test("The table has each state", arguments: State.allCases)
  func rows(_ state: State) { #expect(Self.rows(of: TransportTests.transport(state).run).contains(state)) }

  @Test("Each state handles each input", arguments: State.allCases)
  func transitions(_ state: State) throws {
    let expected = try #require(Self.table[state])
    let before = Self.text(TransportTests.transport(state).run)
    for input in Input.allCases {
      var transport = TransportTests.transport(state)
      let taken = Self.act(input, &transport, TransportTests.look(state))
      let actions = taken.map(TransportTests.text).joined(separator: " ")
      let result = Self.text(transport.run) + (actions.isEmpty ? "" : ": \(actions)")
      #expect(result == expected[input] ?? before, "\(state) at \(input)")
    }
  }
}
