import AudioOutput
import Testing
import Units

@testable import RadioEngine

/// The owner of the sound device, in every state at every input.
@Suite struct OutputSupervisorTests {
  private static let lost = SinkError.readerGone(path: "/pipe")

  private static func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  /// The inputs that lead from an owned device to each state, with their times in milliseconds.
  static let ways: [(state: String, inputs: [(Int64, OutputSupervisor.Input)])] = [
    ("ours", []),
    ("ending(command)", [(0, .suspend)]),
    ("ending(device)", [(0, .failed(lost))]),
    ("ending(sleep)", [(0, .slept)]),
    ("ending()", [(0, .suspend), (10, .endSuspension)]),
    ("ending(command,device)", [(0, .suspend), (0, .failed(lost))]),
    ("ending(command,sleep)", [(0, .suspend), (0, .slept)]),
    ("ending(device,sleep)", [(0, .slept), (0, .failed(lost))]),
    ("ending(command,device,sleep)", [(0, .suspend), (0, .slept), (0, .failed(lost))]),
    ("away(command)", [(0, .suspend), (10, .released(hasUnheard: false))]),
    ("away(command,device)", [(0, .suspend), (0, .failed(lost)), (10, .released(hasUnheard: false))]),
    ("away(sleep)", [(0, .slept), (10, .released(hasUnheard: false))]),
    ("away(device,sleep)", [(0, .slept), (0, .failed(lost)), (10, .released(hasUnheard: false))]),
    ("away(command,sleep)", [(0, .slept), (0, .suspend), (10, .released(hasUnheard: false))]),
    (
      "away(command,device,sleep)",
      [(0, .suspend), (0, .slept), (0, .failed(lost)), (10, .released(hasUnheard: false))]
    ),
    ("away()", [(0, .suspend), (10, .endSuspension), (10, .released(hasUnheard: false))]),
    ("missing(-900)", [(0, .failed(lost)), (10, .released(hasUnheard: false))]),
    ("missing(500)", [(0, .failed(lost)), (10, .released(hasUnheard: false)), (500, .refused(lost))]),
  ]

  static let inputs: [(name: String, input: OutputSupervisor.Input)] = [
    ("suspend", .suspend), ("endSuspension", .endSuspension), ("slept", .slept), ("failed", .failed(lost)),
    ("released", .released(hasUnheard: false)), ("unheard", .released(hasUnheard: true)), ("takenUp", .takenUp),
    ("refused", .refused(lost)), ("due", .due),
  ]

  /// The kinds of inputs. A new kind needs a place in `inputs`, and its cells in the table.
  enum Kind: CaseIterable {
    case suspend, endSuspension, slept, failed, released, takenUp, refused, due
  }

  private static func kind(_ input: OutputSupervisor.Input) -> Kind {
    switch input {
    case .suspend: .suspend
    case .endSuspension: .endSuspension
    case .slept: .slept
    case .failed: .failed
    case .released: .released
    case .takenUp: .takenUp
    case .refused: .refused
    case .due: .due
    }
  }

  @Test("The table has every kind of input")
  func kinds() { #expect(Set(Self.inputs.map { Self.kind($0.input) }) == Set(Kind.allCases)) }

  private static let begins = "reportWillSuspend fallSilent release"
  private static let fails = "closeLost reportLost"
  private static let back = "ours: followDevice reportReturn resume"

  /// Results of the inputs in each state, one second after the start of the way. An input that is not listed changes
  /// nothing.
  static let table: [String: [String: String]] = [
    "ours": [
      "suspend": "ending(command): \(begins)", "slept": "ending(sleep): \(begins)",
      "failed": "ending(device): \(fails) \(begins)",
    ],
    "ending(command)": [
      "endSuspension": "ending()", "slept": "ending(command,sleep)", "failed": "ending(command,device): \(fails)",
      "released": "away(command): reportSuspended", "unheard": "away(command): goBack reportSuspended",
    ],
    "ending(device)": [
      "suspend": "ending(command,device)", "slept": "ending(device,sleep)", "failed": "ending(device): \(fails)",
      "released": "missing(-900): reportSuspended", "unheard": "missing(-900): goBack reportSuspended",
    ],
    "ending(sleep)": [
      "suspend": "ending(command,sleep)", "failed": "ending(device,sleep): \(fails)",
      "released": "away(sleep): reportSuspended", "unheard": "away(sleep): goBack reportSuspended",
    ],
    "ending()": [
      "suspend": "ending(command)", "slept": "ending(sleep)", "failed": "ending(device): \(fails)",
      "released": "away(): reportSuspended", "unheard": "away(): goBack reportSuspended",
    ],
    "ending(command,device)": [
      "endSuspension": "ending(device)", "slept": "ending(command,device,sleep)",
      "failed": "ending(command,device): \(fails)", "released": "away(command,device): reportSuspended",
      "unheard": "away(command,device): goBack reportSuspended",
    ],
    "ending(command,sleep)": [
      "endSuspension": "ending(sleep)", "failed": "ending(command,device,sleep): \(fails)",
      "released": "away(command,sleep): reportSuspended", "unheard": "away(command,sleep): goBack reportSuspended",
    ],
    "ending(device,sleep)": [
      "suspend": "ending(command,device,sleep)", "failed": "ending(device,sleep): \(fails)",
      "released": "away(device,sleep): reportSuspended", "unheard": "away(device,sleep): goBack reportSuspended",
    ],
    "ending(command,device,sleep)": [
      "endSuspension": "ending(device,sleep)", "failed": "ending(command,device,sleep): \(fails)",
      "released": "away(command,device,sleep): reportSuspended",
      "unheard": "away(command,device,sleep): goBack reportSuspended",
    ],
    "away(command)": [
      "endSuspension": "away(): reopen", "slept": "away(command,sleep)", "failed": "away(command,device): \(fails)",
      "takenUp": "ours: followDevice resume", "refused": "missing(1000): reportLost",
    ],
    "away(command,device)": [
      "endSuspension": "missing(0): reopen", "slept": "away(command,device,sleep)",
      "failed": "away(command,device): \(fails)", "takenUp": back, "refused": "missing(1000)",
    ],
    "away(sleep)": [
      "suspend": "away(command,sleep)", "failed": "away(device,sleep): \(fails)",
      "takenUp": "ours: followDevice resume", "refused": "missing(1000): reportLost",
      "due": "away(): reopen renewConnections",
    ],
    "away(device,sleep)": [
      "suspend": "away(command,device,sleep)", "failed": "away(device,sleep): \(fails)", "takenUp": back,
      "refused": "missing(1000)", "due": "missing(0): reopen renewConnections",
    ],
    "away(command,sleep)": [
      "endSuspension": "away(sleep)", "failed": "away(command,device,sleep): \(fails)",
      "takenUp": "ours: followDevice resume", "refused": "missing(1000): reportLost",
      "due": "away(command): renewConnections",
    ],
    "away(command,device,sleep)": [
      "endSuspension": "away(device,sleep)", "failed": "away(command,device,sleep): \(fails)", "takenUp": back,
      "refused": "missing(1000)", "due": "away(command,device): renewConnections",
    ],
    // While the device is being reopened.
    "away()": [
      "suspend": "away(command)", "slept": "away(sleep)", "failed": "missing(100): \(fails)",
      "takenUp": "ours: followDevice resume", "refused": "missing(1000): reportLost", "due": "away(): reopen",
    ],
    "missing(-900)": [
      "suspend": "away(command,device)", "slept": "away(device,sleep)", "failed": "missing(100): \(fails)",
      "takenUp": back, "refused": "missing(1000)", "due": "missing(-900): reopen",
    ],
    "missing(500)": [
      "suspend": "away(command,device)", "slept": "away(device,sleep)", "failed": "missing(100): \(fails)",
      "takenUp": back, "refused": "missing(1000)",
    ],
  ]

  private static func text(_ state: OutputSupervisor.State) -> String {
    func text(_ causes: OutputSupervisor.Causes) -> String {
      let all: [(OutputSupervisor.Causes, String)] = [(.command, "command"), (.device, "device"), (.sleep, "sleep")]
      return all.filter { causes.contains($0.0) }.map(\.1).joined(separator: ",")
    }
    return switch state {
    case .ours: "ours"
    case .ending(let causes, _, _): "ending(\(text(causes)))"
    case .away(let causes): "away(\(text(causes)))"
    case .missing(let next): "missing(\((next - at(1_000)).nanoseconds / 1_000_000))"
    }
  }

  private static func name(_ action: OutputSupervisor.Action) -> String {
    if case .reportLost = action { "reportLost" } else { "\(action)" }
  }

  /// A supervisor of a card, in state `state`.
  private static func supervisor(_ state: String) throws -> OutputSupervisor {
    var supervisor = OutputSupervisor(isCard: true, at: at(0))
    let way = try #require(ways.first { $0.state == state })
    for (moment, input) in way.inputs { _ = supervisor.process(input, at: at(moment)) }
    #expect(text(supervisor.state) == state)
    return supervisor
  }

  @Test("Each state handles each input", arguments: ways.map(\.state))
  func transitions(_ state: String) throws {
    let expected = try #require(Self.table[state])
    #expect(Set(expected.keys).isSubset(of: Set(Self.inputs.map(\.name))))
    for (name, input) in Self.inputs {
      var supervisor = try Self.supervisor(state)
      let actions = supervisor.process(input, at: Self.at(1_000)).map(Self.name).joined(separator: " ")
      let result = Self.text(supervisor.state) + (actions.isEmpty ? "" : ": \(actions)")
      #expect(result == expected[name] ?? state, "\(state) at \(name)")
    }
  }

  @Test("Every reachable state is in the table")
  func reaches() {
    func name(_ supervisor: OutputSupervisor) -> String {
      if case .missing = supervisor.state { "missing" } else { Self.text(supervisor.state) }
    }
    var found = ["ours": OutputSupervisor(isCard: true, at: Self.at(0))]
    var open = Array(found.values)
    while let from = open.popLast() {
      for (_, input) in Self.inputs {
        var next = from
        _ = next.process(input, at: Self.at(1_000))
        if found.updateValue(next, forKey: name(next)) == nil { open.append(next) }
      }
    }
    let listed = Self.ways.map { $0.state.hasPrefix("missing") ? "missing" : $0.state }
    #expect(Set(found.keys) == Set(listed))
  }

  @Test("Once no cause keeps it away, the device is the radio's again", arguments: ways.map(\.state))
  func comesBack(_ state: String) throws {
    var supervisor = try Self.supervisor(state)
    var left = 6
    var pending = supervisor.process(.endSuspension, at: Self.at(2_000))
    while supervisor.isSuspended, left > 0 {
      left -= 1
      if supervisor.isEnding { pending += supervisor.process(.released(hasUnheard: false), at: Self.at(2_000)) }
      if !pending.contains(.reopen) { pending += supervisor.process(.due, at: Self.at(2_000)) }
      if pending.contains(.reopen) { pending = supervisor.process(.takenUp, at: Self.at(2_000)) }
    }
    #expect(supervisor.state == .ours && supervisor.failure == nil)
  }

  @Test("Each state has its properties", arguments: ways.map(\.state))
  func facts(_ state: String) throws {
    let supervisor = try Self.supervisor(state)
    #expect(supervisor.isSuspended == (state != "ours"))
    #expect(supervisor.isEnding == state.hasPrefix("ending"))
    #expect(supervisor.isReleased == (state.hasPrefix("away") || state.hasPrefix("missing")))
    #expect(supervisor.hasSlept == state.contains("sleep"))
    #expect((supervisor.failure != nil) == (state.contains("device") || state.hasPrefix("missing")))
    #expect(supervisor.isLettingGo(at: Self.at(2_499)) == state.hasPrefix("ending"))
    #expect(!supervisor.isLettingGo(at: Self.at(2_500)))
    let patience: Duration? =
      switch state {
      case "missing(-900)": .zero
      case "missing(500)": Duration(milliseconds: 500)
      case let state where state.hasPrefix("ending"): Duration(milliseconds: 2)
      default: .forever
      }
    #expect(supervisor.patience(at: Self.at(1_000)) == patience)
    if supervisor.isEnding { #expect(supervisor.patience(at: Self.at(2_500)) == Duration(milliseconds: 50)) }
  }

  @Test("A device missing from the start is reported once, and retried", arguments: [(true, 1_000), (false, 100)])
  func absence(isCard: Bool, interval: Int64) {
    var supervisor = OutputSupervisor(isCard: isCard, absence: Self.lost, at: Self.at(0))
    #expect(supervisor.state == .missing(next: Self.at(interval)) && supervisor.failure == Self.lost)
    #expect(supervisor.reportAbsence() == [.reportLost(Self.lost), .reportWillSuspend, .reportSuspended])
    #expect(supervisor.reportAbsence().isEmpty)
    #expect(supervisor.process(.due, at: Self.at(interval - 1)).isEmpty)
    #expect(supervisor.process(.due, at: Self.at(interval)) == [.reopen])
    #expect(supervisor.process(.refused(Self.lost), at: Self.at(interval)).isEmpty)
    #expect(supervisor.state == .missing(next: Self.at(2 * interval)))
  }

  @Test(
    "A device is retried after 100 ms, or after 1 s if it returned less than 5 s before",
    arguments: [(nil, 100), (5_001, 100), (5_000, 1_000), (0, 1_000)] as [(Int64?, Int64)])
  func retries(_ worked: Int64?, _ wait: Int64) {
    var supervisor = OutputSupervisor(isCard: true, absence: worked == nil ? nil : Self.lost, at: Self.at(0))
    if worked != nil { _ = supervisor.process(.takenUp, at: Self.at(0)) }
    let moment = worked ?? 10
    _ = supervisor.process(.failed(Self.lost), at: Self.at(moment))
    _ = supervisor.process(.released(hasUnheard: false), at: Self.at(moment))
    #expect(supervisor.state == .missing(next: Self.at(moment + wait)))
  }

  @Test("The last reason keeps the audio from its device")
  func failures() throws {
    let other = SinkError.readerGone(path: "/other")
    for state in ["away(command)", "missing(500)"] {
      var supervisor = try Self.supervisor(state)
      _ = supervisor.process(.refused(other), at: Self.at(1_000))
      #expect(supervisor.failure == other, "\(state)")
      _ = supervisor.process(.takenUp, at: Self.at(1_000))
      #expect(supervisor.failure == nil)
    }
  }
}
