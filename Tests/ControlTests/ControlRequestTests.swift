import Testing

@testable import Control

/// A line of the protocol.
@Suite struct ControlRequestTests {
  @Test(
    "Words stand between blanks or in quotes",
    arguments: [
      ("ping", "ping", []), ("radio_rewind\t10 ", "radio_rewind", ["10"]), ("a \"\"", "a", [""]),
      ("add \"a b\" c", "add", ["a b", "c"]), (#"add "say \"hi\" \\ there""#, "add", [#"say "hi" \ there"#]),
      ("add \u{E9}t\u{E9}", "add", ["\u{E9}t\u{E9}"]), ("add \"it's\"", "add", ["it's"]), ("p1 x", "p1", ["x"]),
    ] as [(String, String, [String])])
  func words(_ line: String, _ name: String, _ arguments: [String]) throws {
    let request = try ControlRequest(Array(line.utf8)[...])
    #expect((request.name, request.arguments) == (name, arguments))
  }

  @Test(
    "A line that is none is refused in MPD's words",
    arguments: [
      ("play \"b", 5, "Missing closing '\"'"), ("play \"b\"c", 5, "Space expected after closing '\"'"),
      ("play b\"c\"", 5, "Invalid unquoted character"), ("play 'b", 5, "Invalid unquoted character"),
      ("play \"b\\", 5, "Missing closing '\"'"), ("pl-ay", 5, "Invalid word character"), ("", 5, "Letter expected"),
      ("1", 5, "Letter expected"), (String(repeating: "a ", count: 80), 2, "Too many arguments"),
    ])
  func refused(_ line: String, _ code: Int, _ message: String) {
    #expect { try ControlRequest(Array(line.utf8)[...]) } throws: { error in
      let refusal = error as? ControlRefusal
      return refusal?.code.rawValue == code && refusal?.message == message
    }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: ControlRefusal(.argument, "Invalid UTF-8")) { try ControlRequest([0x61, 0x20, 0xFF][...]) }
  }

  @Test func anAnswersLinesStayLines() {
    var answer = ControlAnswer()
    answer.add("title", "a\nOK\r\nb\u{1B}[2J\u{9B}\u{A9}")
    answer.add("none", nil as String?)
    for (key, value) in [("a", 1.5), ("b", -0.0004), ("c", -2.25), ("d", .nan), ("e", 12.0006)] {
      answer.add(seconds: key, value)
    }
    answer.add(figure: "f", -17.5)
    answer.add(figure: "g", 2)
    #expect(answer.text == "title: a OK  b [2J \u{A9}\na: 1.500\nb: 0.000\nc: -2.250\ne: 12.001\nf: -17.5\ng: 2\n")
    #expect(ControlRefusal(.unknown, "no\nOK").line(to: "x", at: 3) == "ACK [5@3] {x} no OK\n")
  }
}
