import Testing
import Units

@testable import Network

struct ConnectionPlanTableTests {
  typealias Standing = ConnectionPlanTests.Standing

  /// The inputs, applied six seconds after the last data.
  enum Input: String, CaseIterable {
    case connect, spare, plan, hasten, holdLead, hold2, hold3, adopt2, adopt3, loseLead, lose2, lose3, drop, unplan
    case stop, rest, step
  }

  private static func time(_ seconds: Double) -> MonotonicTime { ConnectionPlanTests.time(seconds) }

  private static func number(_ id: ConnectionID) -> Int { (0..<10).first { ConnectionPlanTests.id($0) == id } ?? -1 }

  private static func text(_ ids: [ConnectionID]) -> String { ids.map { "\(number($0))" }.joined(separator: ",") }

  /// A connection started at 6 s; paused if `isHeld`.
  private static func line(_ number: Int, isHeld: Bool = false) -> ConnectionState {
    var line = ConnectionPlanTests.line(number, at: 6)
    line.isPaused = isHeld
    return line
  }

  /// Applies an input. Returns the result besides the state.
  private static func act(_ input: Input, _ lines: inout ConnectionPlan) -> String {
    switch input {
    case .connect: lines.connect(line(9))
    case .spare: return text([lines.connectSpare(line(9), at: time(6))].compactMap { $0 })
    case .plan: lines.plan(time(6))
    case .hasten: return lines.hasten(to: time(4.5)) ? "hastened" : ""
    case .holdLead: lines.update(line(1, isHeld: true))
    case .hold2: lines.update(line(2, isHeld: true))
    case .hold3: lines.update(line(3, isHeld: true))
    case .adopt2: return text([lines.adopt(ConnectionPlanTests.id(2))].compactMap { $0 })
    case .adopt3: return text([lines.adopt(ConnectionPlanTests.id(3))].compactMap { $0 })
    case .loseLead: return text([lines.loseLead()].compactMap { $0 })
    case .lose2: lines.loseSpare(ConnectionPlanTests.id(2))
    case .lose3: lines.loseSpare(ConnectionPlanTests.id(3))
    case .drop: return text(lines.dropSpares())
    case .unplan: lines.cancelPlan()
    case .stop: return text(lines.stop())
    case .rest: return text(lines.stop(toRest: true))
    case .step:
      switch lines.step(at: time(7), ConnectionPlanTests.rules) {
      case nil: return ""
      case .connect: return "connect"
      case .connectSpare: return "connect beside"
      case .planSpare(_, let isNext): return isNext ? "plan another" : "plan"
      case .giveUp: return "give up"
      case .giveUpInDoubt: return "doubt"
      }
    }
    return ""
  }

  private static func text(_ lines: ConnectionPlan) -> String {
    func text(_ line: ConnectionState) -> String { "\(number(line.id))\(line.isPaused ? "h" : "")" }
    func text(_ moment: MonotonicTime) -> String { "\((moment - time(0)).nanoseconds / 1_000_000)" }
    switch lines.state {
    case .idle: return "idle"
    case .resting: return "resting"
    case .waiting(let until): return "waits \(text(until))"
    case .on(let group):
      let parts = [
        text(group.lead), group.kept.map { "kept \(text($0))" }, group.newest.map { "new \(text($0))" },
        group.plan.map { "at \(text($0))" },
      ]
      return parts.compactMap { $0 }.joined(separator: " ")
    }
  }

  /// Results in the order of `Standing`: the new state, then the returned value after an arrow. A point means no
  /// change.
  static let table: [Input: [String]] = [
    .connect: [String](repeating: "9", count: 11),
    .spare: [
      "· → 9", "· → 9", "· → 9", "1 new 9", "1 new 9", "1h new 9", "1 new 9 at 4000", "1 kept 2 new 9",
      "1 kept 2 new 9", "1 kept 2 new 9 → 3", "1 kept 2 new 9 at 7000 → 3",
    ],
    .plan: [
      "waits 6000", "waits 6000", "waits 6000", "1 at 6000", "1 at 6000", "1h at 6000", "1 at 6000", "1 new 2 at 6000",
      "1 kept 2 at 6000", "1 kept 2 new 3 at 6000", "1 kept 2 new 3 at 6000",
    ],
    .hasten: [
      "·", "·", "waits 4500 → hastened", "·", "·", "·", "· → hastened", "·", "·", "·",
      "1 kept 2 new 3 at 4500 → hastened",
    ],
    .holdLead: [
      "·", "·", "·", "1h", "1h", "·", "1h at 4000", "1h new 2", "1h kept 2", "1h kept 2 new 3",
      "1h kept 2 new 3 at 7000",
    ],
    .hold2: [
      "·", "·", "·", "·", "·", "·", "·", "1 new 2h", "1 kept 2h", "1 kept 2h new 3", "1 kept 2h new 3 at 7000",
    ],
    .hold3: ["·", "·", "·", "·", "·", "·", "·", "·", "·", "1 kept 2 new 3h", "1 kept 2 new 3h at 7000"],
    .adopt2: ["·", "·", "·", "·", "·", "·", "·", "2 → 1", "2 → 1", "2 new 3 → 1", "2 new 3 → 1"],
    .adopt3: ["·", "·", "·", "·", "·", "·", "·", "·", "·", "3 kept 2 → 1", "3 kept 2 → 1"],
    .loseLead: [
      "·", "·", "·", "idle", "idle", "idle", "waits 4000", "2 → 2", "2 → 2", "2 new 3 → 2", "2 new 3 → 2",
    ],
    .lose2: ["·", "·", "·", "·", "·", "·", "·", "1", "1", "1 new 3", "1 new 3 at 7000"],
    .lose3: ["·", "·", "·", "·", "·", "·", "·", "·", "·", "1 kept 2", "1 kept 2 at 7000"],
    .drop: ["·", "·", "·", "·", "·", "·", "·", "1 → 2", "1 → 2", "1 → 2,3", "1 at 7000 → 2,3"],
    .unplan: ["·", "·", "idle", "·", "·", "·", "1", "·", "·", "·", "1 kept 2 new 3"],
    .stop: [
      "·", "idle", "idle", "idle → 1", "idle → 1", "idle → 1", "idle → 1", "idle → 1,2", "idle → 1,2", "idle → 1,2,3",
      "idle → 1,2,3",
    ],
    .rest: [
      "resting", "·", "resting", "resting → 1", "resting → 1", "resting → 1", "resting → 1", "resting → 1,2",
      "resting → 1,2", "resting → 1,2,3", "resting → 1,2,3",
    ],
    .step: [
      "·", "·", "idle → connect", "· → plan", "· → plan", "·", "1 → connect beside", "· → plan another", "· → plan",
      "· → plan another", "1 kept 2 new 3 → connect beside",
    ],
  ]

  @Test("Each input has its effect in each state", arguments: Input.allCases)
  func transitions(_ input: Input) throws {
    let row = try #require(Self.table[input])
    try #require(row.count == Standing.allCases.count)
    for (standing, expected) in zip(Standing.allCases, row) {
      var lines = ConnectionPlanTests.lines(standing)
      let before = Self.text(lines)
      let given = Self.act(input, &lines)
      let after = Self.text(lines)
      let result = (after == before ? "·" : after) + (given.isEmpty ? "" : " → \(given)")
      #expect(result == expected, "\(standing) at \(input)")
    }
  }

  /// The properties of each state four seconds after the last data.
  private static func facts(_ standing: Standing) -> String {
    switch standing {
    case .idle, .resting: ""
    case .waiting: "busy"
    case .new, .joined: "busy settled stale silent 1"
    case .held: "busy settled 1"
    case .planned, .kept: standing == .kept ? "busy stale silent 1,2" : "busy stale silent 1"
    case .newest: "busy stale fresh silent 1,2"
    case .both, .bothPlanned: "busy stale fresh silent 1,2,3"
    }
  }

  @Test("Each state has its properties", arguments: Standing.allCases)
  func facts(standing: Standing) {
    let lines = ConnectionPlanTests.lines(standing)
    let now = Self.time(4)
    let known = (1...9).map(ConnectionPlanTests.id).filter(lines.contains)
    let words = [
      lines.isBusy ? "busy" : "", lines.isSettled ? "settled" : "", lines.isStale(at: now) ? "stale" : "",
      lines.hasFreshSpare(at: now) ? "fresh" : "", lines.silence(at: now) == now - Self.time(0) ? "silent" : "",
      Self.text(known),
    ]
    #expect(words.filter { !$0.isEmpty }.joined(separator: " ") == Self.facts(standing))
  }

  @Test(
    "The next step has its time while a server waits, or after a network change",
    arguments: [
      (.held, false, 3), (.held, true, 3), (.new, true, 1), (.joined, true, 1), (.joined, false, 3), (.idle, true, nil),
      (.waiting, true, 5), (.newest, true, 1), (.newest, false, 4),
    ] as [(Standing, Bool, Double?)])
  func due(standing: Standing, isDoubtful: Bool, seconds: Double?) {
    var rules = ConnectionPlanTests.rules
    rules.isDoubtful = isDoubtful
    let due = ConnectionPlanTests.lines(standing).due(at: Self.time(2), rules, look: Duration(seconds: 1))
    #expect(due == seconds.map(Self.time) ?? .never)
  }
}
