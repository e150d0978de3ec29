import Testing

@testable import Network

/// Stored faults, in every state at every input.
struct OutageTests {
  private static let gone = PlaybackFault(.error(.noNetwork), url: "")
  private static let silent = PlaybackFault(.silence(seconds: 3), url: "")

  enum Input: String, CaseIterable {
    case noNetwork, otherFault, attempt, audio, packet, spareFails, nextSpare, forget
  }

  /// Applies an input. Returns the report, if any.
  private static func act(_ input: Input, _ outage: inout Outage) -> String {
    switch input {
    case .noNetwork: return outage.shouldReport(gone) ? "told" : ""
    case .otherFault: return outage.shouldReport(silent) ? "told" : ""
    case .attempt: outage.beginTry()
    case .audio: return outage.endDoubt() ? "doubted" : ""
    case .packet: outage.recordPacket()
    case .spareFails: outage.spareFailed(silent)
    case .nextSpare: return outage.removeSpareFault() == nil ? "" : "reason"
    case .forget: outage.clearSpareFault()
    }
    return ""
  }

  /// The state in words: attempt in doubt, missing network reported, reason stored.
  private static func state(_ outage: Outage) -> String {
    var asked = outage
    let words = [
      outage.isInDoubt ? "doubt" : nil, asked.shouldReport(gone) ? nil : "told",
      asked.removeSpareFault() == nil ? nil : "reason",
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }

  /// The inputs that lead to each state.
  static let ways: [(state: String, inputs: [Input])] = [
    ("", []), ("doubt", [.attempt]), ("told", [.noNetwork]), ("reason", [.spareFails]),
    ("doubt told", [.attempt, .noNetwork]), ("doubt reason", [.attempt, .spareFails]),
    ("told reason", [.noNetwork, .spareFails]),
    ("doubt told reason", [.attempt, .noNetwork, .spareFails]),
  ]

  /// Change and reports for an input. `told`: report if the word was unset. `toldAgain`: report if set.
  private static func row(_ input: Input) -> (word: String, isSet: Bool?, told: String, toldAgain: String) {
    switch input {
    case .noNetwork: ("told", true, "told", "")
    case .otherFault: ("told", nil, "told", "told")
    case .attempt: ("doubt", true, "", "")
    case .audio: ("doubt", false, "", "doubted")
    case .packet: ("told", false, "", "")
    case .spareFails: ("reason", true, "", "")
    case .nextSpare: ("reason", false, "", "reason")
    case .forget: ("reason", false, "", "")
    }
  }

  @Test("Each input changes only its part of each state", arguments: ways)
  func table(way: (state: String, inputs: [Input])) {
    for input in Input.allCases {
      var outage = Outage()
      for step in way.inputs { _ = Self.act(step, &outage) }
      #expect(Self.state(outage) == way.state)
      let row = Self.row(input)
      var words = Set(way.state.split(separator: " ").map(String.init))
      let wasSo = words.contains(row.word)
      let told = Self.act(input, &outage)
      #expect(told == (wasSo ? row.toldAgain : row.told), "\(way.state) at \(input)")
      if row.isSet == true { words.insert(row.word) } else if row.isSet == false { words.remove(row.word) }
      #expect(Set(Self.state(outage).split(separator: " ").map(String.init)) == words, "\(way.state) at \(input)")
    }
  }
}
