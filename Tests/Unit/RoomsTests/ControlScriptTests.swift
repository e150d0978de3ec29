import Foundation
import SeededRandom
import Testing
import Units

@testable import Rooms

/// A script with the test as its server and its radio.
private struct ScriptBench {
  var script = ControlScript()
  var now = MonotonicTime(milliseconds: 0)

  static let playing = [
    "state: playing", "station: Test FM", "title: Someone - A Song", "artist: Someone", "track: A Song", "live: 1",
    "genre: Jazz", "volume: 40", "rewind_allowed: 0", "fast_forward_allowed: 0", "position: 12.500",
  ]

  init() {}

  /// A script that has received the radio's status and waits.
  static func beside(_ status: [String] = playing) throws -> ScriptBench {
    var bench = ScriptBench()
    try bench.meet(status)
    _ = bench.told()
    return bench
  }

  mutating func meet(_ status: [String] = playing) throws {
    script.begin(at: now)
    #expect(commands() == [])
    try radio("OK MPD 0.23.5")
    #expect(commands() == ["radio_status"])
    try radio(status + ["OK"])
    #expect(commands() == ["idle player mixer"])
  }

  mutating func radio(_ lines: String...) throws { try radio(lines) }
  mutating func radio(_ lines: [String]) throws { for line in lines { try script.process(radio: line) } }
  mutating func commands() -> [String] { script.removeCommands(at: now).split(separator: "\n").map { String($0) } }
  mutating func ask(_ line: String) { script.process(request: Array(line.utf8).span) }

  mutating func order(_ command: String, _ parameters: String = "{}", id: String = "7") {
    ask(
      #"{"id":\#(id),"jsonrpc":"2.0","method":"Plugin.Stream.Player.Control","#
        + #""params":{"command":"\#(command)","params":\#(parameters)}}"#)
  }

  /// Removes and returns the messages to the server, one JSON object per line.
  mutating func told() -> [NSDictionary] {
    script.removeOutput().split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      return (object as? [String: Any] ?? ["no JSON": String(line)]) as NSDictionary
    }
  }

  /// Removes the only message to the server, a notification, and returns its properties.
  mutating func properties() -> NSDictionary {
    let told = told()
    #expect(told.count == 1 && told.first?["method"] as? String == "Plugin.Stream.Player.Properties")
    return told.first?["params"] as? NSDictionary ?? [:]
  }
}

@Suite struct ControlScriptTests {
  private static func properties(_ playback: String, _ isThere: Bool, _ more: [String: Any]) -> NSDictionary {
    var all: [String: Any] = ["playbackStatus": playback]
    for name in ["canControl", "canPlay", "canPause", "canGoNext", "canGoPrevious", "canSeek"] { all[name] = isThere }
    return all.merging(more) { $1 } as NSDictionary
  }

  @Test("The script is ready at once, and reports stopped until a radio replies")
  func ready() throws {
    var bench = ScriptBench()
    bench.ask(#"{"id":1,"jsonrpc":"2.0","method":"Plugin.Stream.Player.GetProperties"}"#)
    let told = bench.told()
    #expect(told.count == 2)
    #expect(told.first == ["jsonrpc": "2.0", "method": "Plugin.Stream.Ready"])
    #expect(told.last?["id"] as? Int == 1)
    #expect(told.last?["result"] as? NSDictionary == Self.properties("stopped", false, ["metadata": [:]]))
    try bench.meet()
    let metadata: [String: Any] = ["title": "A Song", "artist": ["Someone"], "name": "Test FM", "genre": ["Jazz"]]
    #expect(bench.properties() == Self.properties("playing", true, ["volume": 40, "metadata": metadata]))
  }

  @Test("A changed state is reported, a moving position not")
  func changes() throws {
    var bench = try ScriptBench.beside()
    #expect(bench.script.due == .never)
    // Only the position has changed.
    try bench.radio("changed: player", "OK")
    #expect(bench.commands() == [] && bench.script.due == MonotonicTime(milliseconds: 200), "not more often")
    bench.now = MonotonicTime(milliseconds: 200)
    #expect(bench.commands() == ["radio_status"])
    try bench.radio(ScriptBench.playing.dropLast() + ["position: 17.000", "OK"])
    #expect(bench.told() == [] && bench.commands() == ["idle player mixer"])
    bench.now = MonotonicTime(milliseconds: 9_000)
    try bench.radio("changed: mixer", "changed: player", "OK")
    #expect(bench.commands() == ["radio_status"], "the first change after a while is asked for at once")
    try bench.radio("state: paused", "station: Test FM", "title: News", "live: 1", "volume: 41", "OK")
    let metadata = ["title": "News", "name": "Test FM"]
    #expect(bench.properties() == Self.properties("paused", true, ["volume": 41, "metadata": metadata]))
  }

  @Test("Unread changes are reported once, in their final state")
  func coalescing() throws {
    var bench = try ScriptBench.beside()
    for number in 1...50 {
      bench.now = MonotonicTime(milliseconds: Int64(number) * 1_000)
      try bench.radio("changed: player", "OK")
      #expect(bench.commands() == ["radio_status"])
      try bench.radio("state: playing", "title: \(number)", "live: 1", "OK")
      #expect(bench.commands() == ["idle player mixer"])
    }
    #expect((bench.properties()["metadata"] as? NSDictionary)?["title"] as? String == "50")
  }

  static let orders: [(command: String, parameters: String, line: String)] = [
    ("Play", "{}", "play"), ("play", "{}", "play"), ("Pause", "null", "pause 1"), ("playPause", "{}", "pause 1"),
    ("PlayPause", "{}", "pause 1"), ("stop", "{}", "stop"), ("next", "{}", "next"), ("Previous", "{}", "previous"),
    ("seek", #"{"offset":-10.5}"#, "seekcur -10.500"), ("Seek", #"{"Offset":1e-7}"#, "seekcur +0.000"),
    ("seek", #"{"offset":3600}"#, "seekcur +3600.000"),
  ]

  @Test("An order ends the wait, and gets the radio's reply", arguments: orders)
  func order(_ command: String, _ parameters: String, _ line: String) throws {
    var bench = try ScriptBench.beside()
    bench.order(command, parameters)
    #expect(bench.told() == [] && bench.commands() == ["noidle"])
    try bench.radio("OK")
    #expect(bench.commands() == [line])
    try bench.radio("OK")
    #expect(bench.told() == [["jsonrpc": "2.0", "id": 7, "result": "ok"]] && bench.commands() == ["idle player mixer"])
    bench.order(command, parameters, id: #""x""#)
    #expect(bench.commands() == ["noidle"])
    try bench.radio("changed: player", "OK")
    #expect(bench.commands() == [line])
    try bench.radio("ACK [55@0] {\(line)} Not playing")
    let told = bench.told()
    let error = told.first?["error"] as? NSDictionary
    #expect(told.count == 1 && told.first?["id"] as? String == "x" && error?["code"] as? Int == -32_000)
    #expect(error?["data"] as? String == "The radio refused: Not playing")
    #expect(bench.commands() == [] && bench.script.due == MonotonicTime(milliseconds: 200), "what changed is asked for")
  }

  @Test("playPause plays a silent radio; a file has positions, a live station has none")
  func statesDecide() throws {
    var bench = try ScriptBench.beside(["state: paused", "live: 0", "duration: 100.000", "position: 3.000"])
    bench.order("playPause")
    bench.order("setPosition", #"{"position":3.5}"#)
    #expect(bench.commands() == ["noidle"])
    try bench.radio("OK")
    #expect(bench.commands() == ["play"])
    try bench.radio("OK")
    #expect(bench.commands() == ["seekcur 3.500"])
    var live = try ScriptBench.beside()
    live.order("setPosition", #"{"Position":3}"#)
    #expect((live.told().first?["error"] as? NSDictionary)?["code"] as? Int == -32_000 && live.commands() == [])
  }

  @Test("A radio whose card another program uses is paused")
  func suspended() throws {
    var bench = ScriptBench()
    try bench.meet(["state: playing", "suspended: 1", "title: A"])
    #expect((bench.told().last?["params"] as? NSDictionary)?["playbackStatus"] as? String == "paused")
  }

  @Test("A file's length, position and seekability are reported")
  func file() throws {
    var bench = ScriptBench()
    try bench.meet([
      "state: playing", "station: Talk", "live: 0", "duration: 100.250", "position: 3.000", "rewind_allowed: 0",
      "fast_forward_allowed: 0",
    ])
    let told = bench.told().last?["params"] as? NSDictionary
    #expect(told?["position"] as? Double == 3 && told?["canSeek"] as? Bool == false)
    #expect(told?["metadata"] as? NSDictionary == ["name": "Talk", "duration": 100.25])
  }

  @Test("Only the volume can be set")
  func volume() throws {
    var bench = try ScriptBench.beside()
    func set(_ property: String) -> String {
      #"{"id":1,"jsonrpc":"2.0","method":"Plugin.Stream.Player.SetProperty","params":{\#(property)}}"#
    }
    bench.ask(set(#""volume":33.0"#))
    #expect(bench.commands() == ["noidle"])
    try bench.radio("OK")
    #expect(bench.commands() == ["setvol 33"])
    try bench.radio("OK")
    #expect(bench.told() == [["jsonrpc": "2.0", "id": 1, "result": "ok"]])
    for wrong in [#""volume":101"#, #""volume":-1"#, #""volume":"40""#, #""shuffle":true"#, ""] {
      bench.ask(set(wrong))
      #expect((bench.told().first?["error"] as? NSDictionary)?["code"] as? Int == -32_602, "\(wrong)")
    }
  }

  static let wrong: [(line: String, code: Int)] = [
    ("", -32_700), ("pause", -32_700), ("[]", -32_600), (#"{"id":7}"#, -32_600), ("7", -32_600),
    (#"{"id":7,"method":"Plugin.Stream.Player.GetMetadata"}"#, -32_601),
    (#"{"id":7,"method":"Plugin.Stream.Player.Control"}"#, -32_602),
    (#"{"id":7,"method":"Plugin.Stream.Player.Control","params":{"command":["play"]}}"#, -32_602),
    (#"{"id":7,"method":"Plugin.Stream.Player.Control","params":{"command":"dance"}}"#, -32_602),
    (#"{"id":7,"method":"Plugin.Stream.Player.Control","params":{"command":"seek"}}"#, -32_602),
    (#"{"id":7,"method":"Plugin.Stream.Player.Control","params":{"command":"seek","params":{"offset":1e9}}}"#, -32_602),
    (
      #"{"id":7,"method":"Plugin.Stream.Player.Control","params":{"command":"setPosition","params":{"position":-1}}}"#,
      -32_602
    ),
    (String(repeating: "[", count: 5_000), -32_700),
    ("[" + String(repeating: "1,", count: 5_000) + "1]", -32_700),
  ]

  @Test(
    "A wrong request gets its error and a sentence, which servers need to reply",
    arguments: wrong)
  func refusals(_ line: String, _ code: Int) throws {
    var bench = try ScriptBench.beside()
    bench.ask(line)
    let told = bench.told()
    let error = told.first?["error"] as? NSDictionary
    #expect(told.count == 1 && error?["code"] as? Int == code && (error?["data"] as? String)?.isEmpty == false)
    #expect(told.first?["id"] is NSNull || told.first?["id"] as? Int == 7)
    #expect(bench.commands() == [])
  }

  @Test("A notification is carried out without a reply; an invalid id is answered as null")
  func identities() throws {
    var bench = try ScriptBench.beside()
    bench.ask(#"{"method":"Plugin.Stream.Player.Control","params":{"command":"stop"}}"#)
    bench.ask(#"{"method":"Plugin.Stream.Player.Dance"}"#)
    #expect(bench.commands() == ["noidle"])
    try bench.radio("OK")
    #expect(bench.commands() == ["stop"])
    try bench.radio("OK")
    #expect(bench.told() == [])
    let long = "\"" + String(repeating: "x", count: 101) + "\""
    for odd in ["null", "1.5", "{}", "[1]", "true", long] {
      bench.ask(#"{"id":\#(odd),"method":"Plugin.Stream.Player.GetProperties"}"#)
      #expect(bench.told().first?["id"] is NSNull, "\(odd)")
    }
  }

  @Test("A lost radio leaves no order unanswered; it is reported as stopped, and orders are refused")
  func loss() throws {
    var bench = try ScriptBench.beside()
    bench.order("stop", id: "1")
    #expect(bench.commands() == ["noidle"])
    try bench.radio("OK")
    #expect(bench.commands() == ["stop"])
    bench.order("play", id: "2")
    bench.script.end("It is gone.\u{1B}[2J")
    bench.order("play", id: "3")
    let told = bench.told()
    #expect(told.prefix(3).map { $0["id"] as? Int } == [1, 2, 3])
    #expect(told.prefix(3).allSatisfy { ($0["error"] as? NSDictionary)?["data"] as? String == "It is gone.[2J" })
    #expect(told.last?["params"] as? NSDictionary == Self.properties("stopped", false, ["metadata": [:]]))
    #expect(bench.script.due == .never && bench.commands() == [])
    try bench.meet()
    #expect(bench.properties()["playbackStatus"] as? String == "playing")
  }

  @Test("Orders before the first reply wait; more than sixteen are refused")
  func manyOrders() throws {
    var bench = ScriptBench()
    bench.script.begin(at: bench.now)
    for number in 1...17 { bench.order("next", id: "\(number)") }
    let told = bench.told()
    #expect(told.count == 2 && told.last?["id"] as? Int == 17 && told.last?["error"] != nil)
    try bench.radio("OK MPD 0.23.5")
    for number in 1...16 {
      #expect(bench.commands() == ["next"])
      try bench.radio("OK")
      #expect(bench.told().first?["id"] as? Int == number)
    }
    #expect(bench.commands() == ["radio_status"])
  }

  @Test("A radio has 10 s to reply, and unlimited time in a wait")
  func silence() throws {
    var bench = ScriptBench()
    bench.script.begin(at: bench.now)
    #expect(bench.script.due == MonotonicTime(milliseconds: 10_000))
    #expect(!bench.script.isSilent(at: MonotonicTime(milliseconds: 9_999)))
    #expect(bench.script.isSilent(at: MonotonicTime(milliseconds: 10_000)))
    bench = try .beside()
    #expect(!bench.script.isSilent(at: MonotonicTime(milliseconds: 1_000_000_000)))
    bench.now = MonotonicTime(milliseconds: 50_000)
    bench.order("stop")
    #expect(bench.commands() == ["noidle"] && bench.script.due == MonotonicTime(milliseconds: 60_000))
  }

  @Test("A peer that is not a radio is reported")
  func nonsense() throws {
    for greeting in ["", "OK", "SSH-2.0-x", "OK MPD"] {
      var bench = ScriptBench()
      bench.script.begin(at: bench.now)
      #expect(throws: ControlScript.Nonsense.self, "\(greeting)") { try bench.radio(greeting) }
    }
    var bench = ScriptBench()
    #expect(throws: ControlScript.Nonsense.self) { try bench.radio("OK MPD 0.23.5") }
    bench.script.begin(at: bench.now)
    try bench.radio("OK MPD 0.23.5")
    #expect(throws: ControlScript.Nonsense.self, "nothing was asked") { try bench.radio("OK") }
    _ = bench.commands()
    #expect(throws: ControlScript.Nonsense.self, "MPD itself does not know the command") {
      try bench.radio("ACK [5@0] {} unknown command \"radio_status\"")
    }
    bench.script.begin(at: bench.now)
    try bench.radio("OK MPD 0.23.5")
    _ = bench.commands()
    #expect(throws: ControlScript.Nonsense.self, "an answer without an end") {
      for number in 0...600 { try bench.radio("key\(number): value") }
    }
  }

  @Test("Titles are fit for any client, and lines stay lines")
  func titles() throws {
    var bench = ScriptBench()
    try bench.meet([
      "state: playing", "title: a \"b\" \\ \u{1B}]0;x\u{7}\u{202E}c\u{2028}d", "title: second", "volume: 900", "live",
      "station: " + String(repeating: "x", count: 5_000),
    ])
    let told = bench.told().last?["params"] as? NSDictionary
    let metadata = told?["metadata"] as? NSDictionary
    #expect(metadata?["title"] as? String == #"a "b" \ ]0;xc d"#)
    #expect((metadata?["name"] as? String)?.count == 1_024 && told?["volume"] == nil)
  }

  @Test("Requests are not read while much output is pending")
  func backPressure() throws {
    var bench = try ScriptBench.beside()
    #expect(bench.script.acceptsRequests)
    var count = 0
    while bench.script.acceptsRequests, count < 1_000 {
      bench.ask(#"{"id":1,"method":"Plugin.Stream.Player.GetProperties"}"#)
      count += 1
    }
    #expect(count > 100 && count < 500)
    #expect(bench.told().count == count && bench.script.acceptsRequests)
  }

  @Test("For any input, the server gets JSON lines and the radio known commands")
  func anyBytes() throws {
    var random = SeededGenerator(24)
    let words = [
      #"{"id":1,"#, #""method":"#, #""Plugin.Stream.Player.Control""#, #","params":{"command":"#, #""seek""#,
      #""next"}}"#,
      #","params":{"offset":-1}}}"#, "OK", "OK MPD 0.23.5", "ACK [5@0] {x} y", "changed: player", "state: playing", "}",
    ]
    var bench = ScriptBench()
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      switch Int.random(in: 0...9, using: &random) {
      case 0: bench.script.begin(at: bench.now)
      case 1: bench.script.end("gone")
      case 2...5: bench.ask(text.joined())
      default: do { try bench.radio(text.first ?? "") } catch { bench.script.end("nonsense") }
      }
      bench.now = bench.now + Duration(milliseconds: 50)
      for command in bench.commands() {
        #expect(
          ["radio_status", "idle player mixer", "noidle", "next"].contains(command) || command.hasPrefix("seekcur "))
      }
      #expect(bench.told().allSatisfy { $0["jsonrpc"] as? String == "2.0" })
    }
  }
}
