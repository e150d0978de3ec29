import Testing
import Units

@testable import Network
@testable import RadioEngine

/// What runs and where the listener is: every state at every input.
@Suite struct TransportTableTests {
  typealias State = TransportTests.State
  typealias Input = @Sendable (inout Transport, ProgrammeLook) -> [Transport.Action]

  private static func suspended(_ look: ProgrammeLook, isRecorded: Bool = false) -> ProgrammeLook {
    var look = look
    (look.isSuspended, look.isRecorded) = (!isRecorded, isRecorded)
    return look
  }

  private static func go(_ seconds: Double) -> Input { { $0.go(to: StreamTime(seconds: seconds), $1) } }

  private static func nothing(_ change: (inout Transport) -> Void, _ transport: inout Transport) -> [Transport.Action] {
    change(&transport)
    return []
  }

  static let inputs: [(name: String, input: Input)] = [
    ("begin", { $0.begin(at: .zero, keepsPause: false, $1) }),
    ("beginKept", { $0.begin(at: .zero, keepsPause: true, $1) }),
    ("beginSuspended", { $0.begin(at: .zero, keepsPause: false, suspended($1)) }),
    ("stop", { transport, _ in nothing({ $0.stop() }, &transport) }),
    ("connecting", { transport, _ in nothing({ $0.connecting() }, &transport) }),
    ("gathers", { $0.gathers($1) }),
    ("flows", { transport, _ in transport.flows() }),
    ("sounds", { transport, look in nothing({ _ = $0.sounds(at: look.now) }, &transport) }),
    ("starved", { transport, look in nothing({ _ = $0.starved(at: look.now) }, &transport) }),
    ("pause", { $0.pause(.user, $1) }),
    ("resume", { $0.resume($1) }),
    ("resumeSuspended", { $0.resume(suspended($1)) }),
    ("interrupt", { $0.interrupt($1) }),
    ("deviceBack", { $0.interruptionEnds($1) }),
    ("dueEarly", { $0.due(TransportTests.later($1, 299)) }),
    ("due", { $0.due(TransportTests.later($1, 300)) }),
    ("rest", { $0.rest($1) }),
    ("restRecorded", { $0.rest(suspended($1, isRecorded: true)) }),
    ("endRest", { transport, _ in transport.endRest() }),
    ("back", go(3)), ("on", go(7)), ("far", go(65)),
    ("live", { $0.goLive($1) }), ("oldest", { $0.goOldest($1) }),
    ("leave", { $0.leave(StreamTime(seconds: 65), for: StreamTime(seconds: 65), $1) }),
    ("connected", { transport, look in nothing({ $0.connected(turnedOutFile: false, look) }, &transport) }),
    ("lost", { transport, _ in nothing({ $0.connection(isLost: true) }, &transport) }),
    ("slept", { transport, _ in nothing({ $0.slept(Duration(milliseconds: 1_000)) }, &transport) }),
    ("hears", { transport, look in nothing({ if let heard = look.heard { $0.hears(heard) } }, &transport) }),
    ("goBack", { transport, _ in transport.goBack(to: StreamTime(seconds: 4)) }),
    ("goBackToHeard", { $0.goBackToHeard($1) }),
    ("found", { $0.found(StreamTime(seconds: 4), 0, $1) }), ("foundLate", { $0.found(StreamTime(seconds: 4), 9, $1) }),
  ]

  private static let began = ["begin": "connecting", "beginSuspended": "paused(interruption): keep tell(paused)"]
  private static let running = began.merging(
    [
      "beginKept": "connecting", "stop": "stopped", "connecting": "connecting", "sounds": "playing",
      "starved": "buffering", "pause": "paused(listener): keep silence tell(paused)",
      "interrupt": "paused(interruption): keep tell(paused)",
    ], uniquingKeysWith: { $1 })

  /// What the decode thread finds, and what it is to decode again, is so whatever runs.
  private static func finds(_ run: String) -> [String: String] {
    ["goBack": "\(run): seek(4)exactly", "found": "\(run): leap tell(seekDone)"]
  }

  private static func goes(_ run: String, calls: Bool = false) -> [String: String] {
    let end = calls ? "call leap" : "leap"
    return [
      "back": "\(run): keep seek(3) \(end)", "on": "\(run): seek(7) \(end)", "far": "\(run): seek(19) \(end)",
      "live": "\(run): keepNot seek(10) \(end)", "oldest": "\(run): keep seek(0) \(end)",
      "goBackToHeard": "\(run): seek(5)exactly", "leave": calls ? "\(run): call" : "buffering",
    ].merging(finds(run), uniquingKeysWith: { $1 })
  }

  private static func row(_ parts: [String: String]...) -> [String: String] {
    parts.reduce([:]) { $0.merging($1, uniquingKeysWith: { $1 }) }
  }

  /// What becomes of a state at an input; an input that is not in a state's list changes nothing.
  static let table: [State: [String: String]] = [
    .stopped: row(
      began, finds("stopped"),
      [
        "beginKept": "connecting", "deviceBack": "stopped: sound", "live": "stopped: keepNot", "leave": "stopped: call",
      ]),
    .connecting: row(
      running, finds("connecting"),
      [
        "gathers": "buffering: tell(buffering)", "deviceBack": "connecting: sound", "live": "connecting: keepNot",
        "leave": "buffering: tell(buffering)",
      ]),
    .buffering: row(running, finds("buffering"), ["deviceBack": "buffering: sound", "live": "buffering: keepNot"]),
    .playing: row(
      running, goes("playing"), ["deviceBack": "playing: sound", "leave": "buffering: tell(buffering)"]),
    .starved: row(running, goes("buffering"), ["deviceBack": "buffering: sound"]),
    .paused: row(
      began, goes("paused(listener)", calls: true),
      [
        "beginKept": "paused(listener): keep", "stop": "stopped", "resume": "buffering: sound",
        "resumeSuspended": "paused(interruption): tell(paused)", "deviceBack": "paused(listener): silence",
        "due": "resting(listener): rest tell(paused)", "rest": "resting(listener): rest tell(paused)",
      ]),
    .held: row(
      began, goes("paused(interruption)", calls: true),
      [
        "beginKept": "paused(interruption): keep", "stop": "stopped", "resume": "buffering: sound",
        "pause": "paused(listener): tell(paused)", "deviceBack": "buffering: sound",
        "due": "resting(interruption): rest tell(paused)", "rest": "resting(interruption): rest tell(paused)",
      ]),
    .resting: row(
      began, goes("resting(listener)", calls: true),
      [
        "beginKept": "paused(listener): keep", "stop": "stopped", "resume": "buffering: sound connectAgain",
        "resumeSuspended": "resting(interruption): tell(paused)", "deviceBack": "resting(listener): silence",
        "endRest": "paused(listener): connectAgain",
      ]),
    .restingHeld: row(
      began, goes("resting(interruption)", calls: true),
      [
        "beginKept": "paused(interruption): keep", "stop": "stopped", "resume": "buffering: sound connectAgain",
        "pause": "resting(listener): tell(paused)", "deviceBack": "buffering: sound connectAgain",
        "endRest": "paused(interruption): connectAgain",
      ]),
    .file: row(
      running, goes("playing"),
      ["deviceBack": "playing: sound", "far": "playing: leave(65)", "leave": "buffering: tell(buffering)"]),
    .pausedFile: row(
      began, goes("paused(listener)", calls: true),
      [
        "beginKept": "paused(listener): keep", "stop": "stopped", "resume": "buffering: sound",
        "resumeSuspended": "paused(interruption): tell(paused)", "deviceBack": "paused(listener): silence",
        "far": "paused(listener): leave(65)",
      ]),
    .away: row(
      running, finds("buffering"),
      [
        "flows": "buffering: tell(seekDone)", "deviceBack": "buffering: sound", "back": "buffering: leave(3)",
        "on": "buffering: leave(7)", "far": "buffering: leave(65)",
      ]),
  ]

  private static func text(_ run: Transport.Run) -> String {
    switch run {
    case .stopped: "stopped"
    case .running(let flow): "\(flow)"
    case .paused(let pause): "\(pause.isResting ? "resting" : "paused")(\(pause.cause))"
    }
  }

  /// The states of the table in which such runs; a new one needs a row.
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

  @Test("A state at every input", arguments: State.allCases)
  func transitions(_ state: State) throws {
    let expected = try #require(Self.table[state])
    #expect(Set(expected.keys).isSubset(of: Set(Self.inputs.map(\.name))))
    let before = Self.text(TransportTests.transport(state).run)
    for (name, input) in Self.inputs {
      var transport = TransportTests.transport(state)
      let actions = input(&transport, TransportTests.look(state)).map(TransportTests.text).joined(separator: " ")
      let result = Self.text(transport.run) + (actions.isEmpty ? "" : ": \(actions)")
      #expect(result == expected[name] ?? before, "\(state) at \(name)")
    }
  }
}
