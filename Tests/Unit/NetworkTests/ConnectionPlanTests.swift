import Testing
import Units

@testable import Network

/// The choice of connections in every state at every step, with a simulated clock.
struct ConnectionPlanTests {
  static let rules = ConnectionPlan.Rules(allowsSpares: true, dataTimeout: Duration(seconds: 10))

  static func id(_ number: Int) -> ConnectionID { (0..<number).reduce(ConnectionID.none) { id, _ in id.next } }
  static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime.zero + duration(1_000 + seconds) }
  private static func duration(_ seconds: Double) -> Duration {
    Duration(milliseconds: Int64((seconds * 1_000).rounded()))
  }

  static func line(_ number: Int, at seconds: Double, data: Double? = nil, isJoined: Bool = false) -> ConnectionState {
    var line = ConnectionState(id(number), at: time(seconds))
    line.lastData = time(data ?? seconds)
    line.isJoined = isJoined
    return line
  }

  /// The states of a plan: a connection with audio at 0 s, with or without spares.
  enum Standing: CaseIterable {
    case idle, resting, waiting, new, joined, held, planned, newest, kept, both, bothPlanned
  }

  static func lines(_ standing: Standing) -> ConnectionPlan {
    var lines = ConnectionPlan()
    switch standing {
    case .idle: return lines
    case .resting: _ = lines.stop(toRest: true)
    case .waiting: lines.plan(time(5))
    case .new: lines.connect(line(1, at: 0))
    default: lines.connect(line(1, at: -20, data: 0, isJoined: true))
    }
    switch standing {
    case .held:
      var held = line(1, at: -20, data: 0, isJoined: true)
      held.isPaused = true
      lines.update(held)
    case .planned: lines.plan(time(4))
    case .newest: _ = lines.connectSpare(line(2, at: 3), at: time(3))
    case .kept, .both, .bothPlanned:
      _ = lines.connectSpare(line(2, at: 3), at: time(3))
      _ = lines.connectSpare(line(3, at: 4), at: time(4))
      if standing == .kept { lines.loseSpare(id(3)) }
      if standing == .bothPlanned { lines.plan(time(7)) }
    default: break
    }
    return lines
  }

  private static func plan(_ silence: Double, next isNext: Bool = false) -> ConnectionPlan.Step {
    .planSpare(silence: duration(silence), isNext: isNext)
  }

  private static func giveUp(_ silence: Double) -> ConnectionPlan.Step { .giveUp(silence: duration(silence)) }

  /// Steps 0.9, 2.9, 3, 4.5, 9.9 and 10.5 s after the last data.
  private static func steps(_ standing: Standing) -> [ConnectionPlan.Step?] {
    switch standing {
    case .idle, .resting, .held: [nil, nil, nil, nil, nil, nil]
    case .waiting: [nil, nil, nil, nil, .connect, .connect]
    case .new: [nil, plan(2.9), plan(3), plan(4.5), plan(9.9), giveUp(10.5)]
    case .joined, .kept: [nil, nil, plan(3), plan(4.5), plan(9.9), giveUp(10.5)]
    case .planned: [nil, nil, nil, .connectSpare, .connectSpare, giveUp(10.5)]
    case .newest: [nil, nil, nil, plan(4.5, next: true), plan(9.9, next: true), giveUp(10.5)]
    case .both: [nil, nil, nil, nil, plan(9.9, next: true), giveUp(10.5)]
    case .bothPlanned: [nil, nil, nil, nil, .connectSpare, giveUp(10.5)]
    }
  }

  private static let moments = [0.9, 2.9, 3, 4.5, 9.9, 10.5]

  @Test("Each time has its step in each state", arguments: Standing.allCases)
  func step(standing: Standing) {
    for (seconds, expected) in zip(Self.moments, Self.steps(standing)) {
      var lines = Self.lines(standing)
      let due = lines.due(at: Self.time(0), Self.rules, look: Duration(seconds: 30))
      let step = lines.step(at: Self.time(seconds), Self.rules)
      #expect(step == expected, "\(seconds) s")
      #expect((step != nil) == (due <= Self.time(seconds)), "\(seconds) s")
    }
  }

  @Test("Without further connections, only the data timeout ends a silent one", arguments: Standing.allCases)
  func alone(standing: Standing) {
    var rules = Self.rules
    rules.allowsSpares = false
    for (seconds, usual) in zip(Self.moments, Self.steps(standing)) {
      var lines = Self.lines(standing)
      let step = lines.step(at: Self.time(seconds), rules)
      if case .planSpare? = usual { #expect(step == nil) } else { #expect(step == usual) }
    }
  }

  @Test("A lead that repeats a file gets no spare, and ends at the data timeout", arguments: [Standing.joined, .both])
  func repeatingLead(standing: Standing) {
    for (seconds, expected) in [(3.0, nil), (9.9, nil), (10.5, Self.giveUp(10.5))] as [(Double, ConnectionPlan.Step?)] {
      var lines = Self.lines(standing)
      var lead = Self.line(1, at: -20, data: 0, isJoined: true)
      lead.isRepeating = true
      lines.update(lead)
      #expect(lines.due(at: Self.time(0), Self.rules, look: Duration(seconds: 30)) == Self.time(10))
      let step = lines.step(at: Self.time(seconds), Self.rules)
      #expect(step == expected, "\(seconds) s")
    }
  }

  @Test("A spare that repeats a file is replaced after three silent seconds", arguments: [2, 3])
  func repeatingSpare(number: Int) {
    for (seconds, expected) in [(7.9, nil), (8, Self.plan(8, next: true))] as [(Double, ConnectionPlan.Step?)] {
      var lines = Self.lines(.both)
      var spare = Self.line(number, at: Double(number) + 1, data: 5)
      spare.isRepeating = true
      lines.update(spare)
      #expect(lines.due(at: Self.time(5), Self.rules, look: Duration(seconds: 30)) == Self.time(8))
      let step = lines.step(at: Self.time(seconds), Self.rules)
      #expect(step == expected, "\(seconds) s")
    }
  }

  @Test("A doubtful connection ends after a silent second, unless its server must wait")
  func inDoubt() {
    var rules = Self.rules
    (rules.allowsSpares, rules.isDoubtful) = (false, true)
    let cases: [(Standing, ConnectionPlan.Step?)] = [(.joined, .giveUpInDoubt), (.new, .giveUpInDoubt), (.held, nil)]
    for (standing, expected) in cases {
      var lines = Self.lines(standing)
      let (before, after) = (lines.step(at: Self.time(1), rules), lines.step(at: Self.time(1.1), rules))
      #expect(before == nil && after == expected)
    }
  }

  /// Connections by number after an input: leading, spare and closed ones.
  struct Cell: Equatable {
    var lead: Int?
    var spares: [Int] = []
    var closed: [Int] = []
  }

  private static func cell(_ lines: ConnectionPlan, closed: [ConnectionID?]) -> Cell {
    func number(_ id: ConnectionID) -> Int { (0..<10).first { Self.id($0) == id } ?? -1 }
    return Cell(
      lead: lines.lead.map(number), spares: lines.spares.map(number), closed: closed.compactMap { $0.map(number) })
  }

  @Test("A lost connection is replaced by the most promising spare, or by the plan")
  func loseLead() {
    let expected: [Standing: Cell] = [
      .newest: Cell(lead: 2), .kept: Cell(lead: 2), .both: Cell(lead: 2, spares: [3]),
      .bothPlanned: Cell(lead: 2, spares: [3]),
    ]
    for standing in Standing.allCases {
      var lines = Self.lines(standing)
      let heir = lines.loseLead()
      #expect(Self.cell(lines, closed: []) == expected[standing] ?? Cell(), "\(standing)")
      #expect(heir == lines.lead)
      switch standing {
      case .waiting: #expect(lines.plan == Self.time(5))
      case .planned: #expect(lines.state == .waiting(Self.time(4)))
      case .resting: #expect(lines.state == .resting)
      default: #expect(lines.plan == nil)
      }
    }
  }

  @Test("A connection with a packet replaces the leader, which closes; nothing is then planned")
  func adopt() {
    for (standing, number, expected) in [
      (Standing.newest, 2, Cell(lead: 2, closed: [1])), (.both, 2, Cell(lead: 2, spares: [3], closed: [1])),
      (.both, 3, Cell(lead: 3, spares: [2], closed: [1])), (.both, 9, Cell(lead: 1, spares: [2, 3])),
      (.idle, 1, Cell()),
    ] {
      var lines = Self.lines(standing)
      if standing != .idle { lines.plan(Self.time(6)) }
      let closed = lines.adopt(Self.id(number))
      #expect(Self.cell(lines, closed: [closed]) == expected)
      #expect((lines.plan == nil) == (number != 9))
    }
  }

  @Test(
    "The newest attempt yields to the next, and a possible responder stays",
    arguments: [
      // Start of the next spare, last data of the kept one, requests sent by kept and newest; the closed connection.
      (5, 3, false, false, 3), (8.5, 3, false, false, 2), (8.5, 8, false, false, 3), (19, 18, false, false, 2),
      (5, 3, false, true, 2), (5, 3, true, true, 3), (5, 3, true, false, 3),
    ] as [(Double, Double, Bool, Bool, Int)])
  func anotherSpare(now: Double, data: Double, keptAsked: Bool, newestAsked: Bool, closed: Int) {
    var lines = Self.lines(.both)
    var (kept, newest) = (Self.line(2, at: 3, data: data), Self.line(3, at: 4))
    (kept.hasAsked, newest.hasAsked) = (keptAsked, newestAsked)
    for line in [kept, newest] { lines.update(line) }
    let gone = lines.connectSpare(Self.line(4, at: now), at: Self.time(now))
    #expect(Self.cell(lines, closed: [gone]) == Cell(lead: 1, spares: [5 - closed, 4], closed: [closed]))
  }

  @Test(
    "A stop closes all connections, and a rest differs from an end", arguments: [false, true])
  func stop(toRest: Bool) {
    for standing in Standing.allCases {
      var lines = Self.lines(standing)
      let open = [lines.lead].compactMap { $0 } + lines.spares
      let closed = lines.stop(toRest: toRest)
      #expect(closed == open && lines.state == (toRest ? .resting : .idle) && !lines.isBusy)
      lines.plan(Self.time(7))
      #expect(lines.state == .waiting(Self.time(7)))
      let isHastened = lines.hasten(to: Self.time(6))
      #expect(isHastened && lines.plan == Self.time(6))
      _ = lines.hasten(to: Self.time(8))
      #expect(lines.plan == Self.time(6))
    }
  }

  @Test("Reports of an unknown connection change nothing")
  func late() {
    for standing in Standing.allCases {
      var lines = Self.lines(standing)
      let before = lines
      lines.update(Self.line(9, at: 1))
      lines.loseSpare(Self.id(9))
      #expect(lines == before && !lines.contains(Self.id(9)))
    }
  }
}
