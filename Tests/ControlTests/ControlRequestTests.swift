import Testing

@testable import Control

/// A line of the protocol.
@Suite struct ControlRequestTests {
  @Test(
    "Words stand between blanks or in quotes",
    arguments: [
      ("ping", "ping", []), ("  radio_rewind\t10 ", "radio_rewind", ["10"]), ("", "", []), ("a \"\"", "a", [""]),
      ("add \"a b\" c", "add", ["a b", "c"]), (#"add "say \"hi\" \\ there""#, "add", [#"say "hi" \ there"#]),
      ("add \u{E9}t\u{E9}", "add", ["\u{E9}t\u{E9}"]), ("a 'b", "a", ["'b"]),
    ] as [(String, String, [String])])
  func words(_ line: String, _ name: String, _ arguments: [String]) throws {
    let request = try ControlRequest(Array(line.utf8)[...])
    #expect((request.name, request.arguments) == (name, arguments))
  }

  @Test(
    "A line that is none is refused",
    arguments: ["a \"b", "a \"b\"c", "a b\"c\"", "a \"b\\", "\"", String(repeating: "a ", count: 66)])
  func refused(_ line: String) {
    #expect(throws: ControlRequest.Failure.self) { try ControlRequest(Array(line.utf8)[...]) }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: ControlRequest.Failure.badText) { try ControlRequest([0x61, 0x20, 0xFF][...]) }
  }

  @Test func anAnswersLinesStayLines() {
    var answer = ControlAnswer()
    answer.add("title", "a\nOK\nb")
    answer.add("none", nil as String?)
    for (key, value) in [("a", 1.5), ("b", -0.0004), ("c", -2.25), ("d", .nan), ("e", 12.0006)] {
      answer.add(seconds: key, value)
    }
    #expect(answer.text(to: "x") == "title: a OK b\na: 1.500\nb: 0.000\nc: -2.250\ne: 12.001\nOK\n")
    #expect(ControlAnswer.refused(.unknownCommand, "no").text(to: "x") == "ACK [5@0] {x} no\n")
  }
}
