import Glibc
import TestSupport
import Testing

@testable import Control

@Suite struct ControlSessionTests {
  @Test(
    "Lists are carried out in order, up to the first refusal",
    arguments: [
      ("command_list_begin\nping\nfoo\nping\ncommand_list_end", "ACK [5@1] {} unknown command \"foo\"\n"),
      ("command_list_ok_begin\nping\nping\ncommand_list_end", "list_OK\nlist_OK\nOK\n"),
      (
        "command_list_ok_begin\nping\ngetvol\nplay x\nping\ncommand_list_end",
        "list_OK\nlist_OK\nACK [2@2] {play} Integer expected: x\n"
      ),
      ("command_list_begin\ncommand_list_end", "OK\n"),
      (
        "command_list_begin\ncommand_list_begin\ncommand_list_end",
        "ACK [5@0] {} unknown command \"command_list_begin\"\n"
      ),
      ("command_list_begin\nplay \"\ncommand_list_end", "ACK [5@0] {} Missing closing '\"'\n"),
      ("command_list_begin\nidle\ncommand_list_end", "ACK [5@0] {idle} idle cannot be part of a list\n"),
      ("command_list_begin\nnoidle\nping\ncommand_list_end", "OK\n"),
      (
        "command_list_begin\nreplay_gain_status\nreplay_gain_status\ncommand_list_end\nping",
        "replay_gain_mode: off\nreplay_gain_mode: off\nOK\nOK\n"
      ),
    ])
  func lists(_ lines: String, _ answer: String) throws {
    #expect(try Bench().client().ask(lines) == answer)
  }

  @Test("Lines in any pieces give the same replies", arguments: [1, 2, 7, 1_000])
  func pieces(_ size: Int) throws {
    let client = try Bench().client()
    let bytes = Array("ping\r\ncommand_list_ok_begin\nping\nstop\ncommand_list_end\nfoo\n".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      client.session.receive(bytes[start..<min(start + size, bytes.count)])
      client.session.work(1)
    }
    while client.session.hasWork { client.session.work(1) }
    #expect(client.heard == "OK\nlist_OK\nlist_OK\nOK\nACK [5@0] {} unknown command \"foo\"\n")
  }

  @Test(
    "A client with another protocol is disconnected",
    arguments: [
      "", "GET / HTTP/1.1", " ping", "\tping", "\"ping\"", "1", "\u{FF}", "command_list_begin\n\nping", "idle\nping",
    ])
  func strangers(_ lines: String) throws {
    let client = try Bench().client()
    #expect(client.ask(lines) == "" && client.session.client.isLeaving)
    #expect(client.ask("ping") == "")
  }

  @Test func closeEndsTheConversation() throws {
    let client = try Bench().client()
    #expect(client.ask("ping\nclose\nping") == "OK\n" && client.session.client.isLeaving)
  }

  @Test func whoWaitsHearsWhatChanged() throws {
    let bench = try Bench()
    bench.player.volume.connect { _, _ in }
    let (one, two) = (bench.client(), bench.client())
    #expect(one.ask("idle") == "" && two.ask("idle mixer options") == "")
    let third = bench.client()
    #expect(third.ask("setvol 30") == "OK\n")
    #expect(one.heard == "changed: mixer\nOK\n" && two.heard == "changed: mixer\nOK\n")
    #expect(third.ask("command_list_begin\nrepeat 1\nsetvol 20\nclear\ncommand_list_end") == "OK\n")
    #expect(two.ask("idle options") == "changed: options\nOK\n")
    #expect(two.ask("idle options") == "" && two.ask("noidle") == "OK\n" && two.ask("noidle") == "")
    #expect(one.ask("idle") == "changed: playlist\nchanged: mixer\nchanged: options\nOK\n")
    #expect(third.ask("repeat 1") == "OK\n" && one.ask("idle\nnoidle") == "OK\n")
  }

  @Test func messagesGoToWhoSubscribed() throws {
    let bench = try Bench()
    let (one, two) = (bench.client(), bench.client())
    #expect(one.ask("subscribe a") == "OK\n")
    #expect(one.ask("subscribe a") == "ACK [56@0] {subscribe} already subscribed to this channel\n")
    #expect(two.values("channel", of: "channels") == ["a"])
    #expect(two.ask("idle subscription") == "changed: subscription\nOK\n")
    #expect(one.ask("idle message") == "")
    #expect(two.ask("sendmessage a \"hello there\"") == "OK\n" && one.heard == "changed: message\nOK\n")
    #expect(one.ask("readmessages") == "channel: a\nmessage: hello there\nOK\n" && one.ask("readmessages") == "OK\n")
    for _ in 0..<64 { #expect(two.ask("sendmessage a x") == "OK\n") }
    #expect(two.ask("sendmessage a x").hasPrefix("ACK [50@0]"))
    for number in 0..<15 { #expect(one.ask("subscribe b\(number)") == "OK\n") }
    #expect(one.ask("subscribe c") == "ACK [56@0] {subscribe} subscription list is full\n")
    one.session.close()
    #expect(two.values("channel", of: "channels") == [])
  }

  @Test func eventsGoToThoseWhoAsked() throws {
    let bench = try Bench()
    let (one, two) = (bench.client(), bench.client())
    #expect(one.ask("radio_events") == "OK\n")
    bench.context.clients.publish("{\"event\":\"playing\"}")
    #expect(one.heard == "{\"event\":\"playing\"}\n" && two.heard == "")
  }

  @Test("A client beyond a limit is disconnected, without memory")
  func bounds() throws {
    let bench = try Bench()
    let long = String(repeating: "a", count: ControlSession.maxLineLength + 1)
    let many = "command_list_begin\n" + String(repeating: "ping\n", count: ControlSession.maxListCount + 1)
    let heavy =
      "command_list_begin\n" + String(repeating: "add \"\(String(repeating: "x", count: 9_000))\"\n", count: 40)
    for hostile in [long, "add " + long + "\n", many, heavy] {
      let client = bench.client()
      client.session.receive(Array(hostile.utf8))
      client.session.work()
      #expect(client.session.client.isLeaving && client.session.weight < 10_000)
    }
    for number in 0..<500 { bench.add("station-\(number)") }
    let greedy = bench.client()
    greedy.session.receive(Array(("command_list_begin\n" + String(repeating: "playlistinfo\n", count: 2_000)).utf8))
    greedy.session.receive(Array("command_list_end\n".utf8))
    while greedy.session.hasWork { greedy.session.work(8) }
    #expect(greedy.session.client.isLeaving && greedy.session.client.outgoing.count < ClientState.maxOutgoing + 100_000)
  }

  @Test func whatIsToldOfTheQueue() throws {
    let bench = try Bench()
    bench.add("a", "b", "c")
    let client = bench.client()
    #expect(client.ask("addid \"http://radio.example/d\" 1") == "Id: 4\nOK\n")
    #expect(client.values("Id", of: "playlistinfo") == ["1", "4", "2", "3"])
    #expect(client.values("file", of: "playlistinfo 1:3") == ["http://radio.example/d", "http://radio.example/b"])
    #expect(client.ask("playlistinfo 4") == "OK\n")
    #expect(client.ask("playlist").hasPrefix("0:file: http://radio.example/a\n1:file: "))
    let version = client.value("playlist", of: "status") ?? ""
    #expect(client.ask("plchanges \(version)") == "OK\n")
    #expect(client.ask("move 3 0\nswapid 4 2") == "OK\nOK\n")
    #expect(bench.names == ["c", "a", "b", "d"])
    #expect(client.ask("plchangesposid \(version) 2:9") == "cpos: 2\nId: 2\ncpos: 3\nId: 4\nOK\n")
    #expect(client.values("Pos", of: "plchanges -1") == ["0", "1", "2", "3"])
    #expect(client.ask("addtagid 4 Name \"Radio D\"\nprio 7 3:4") == "OK\nOK\n")
    #expect(client.ask("playlistid 4") == "file: http://radio.example/d\nName: Radio D\nPos: 3\nId: 4\nPrio: 7\nOK\n")
    #expect(
      client.ask("tagtypes disable name\nplaylistid 4")
        == "OK\nfile: http://radio.example/d\nPos: 3\nId: 4\nPrio: 7\nOK\n")
    #expect(client.ask("delete 1:\nstatus").contains("playlistlength: 1\n"))
  }

  @Test(
    "Stations are found",
    arguments: [
      ("playlistfind file http://radio.example/a", ["1"]), ("playlistfind name one", []),
      ("playlistfind name One", ["1"]),
      ("playlistsearch name ONE", ["1"]), ("playlistsearch any o", ["1", "2"]), ("playlistsearch name o file b", ["2"]),
      ("playlistfind \"(Name == 'One')\"", ["1"]), ("playlistfind \"(!(Name == 'One'))\"", ["2", "3"]),
      ("playlistfind \"((Name contains 'o') AND (file != 'http://radio.example/a'))\"", ["2"]),
      ("playlistsearch \"(file contains 'EXAMPLE/C')\"", ["3"]), ("playlistfind album x", []),
      ("playlistfind \"(Name == 'It\\\\'s')\"", []),
    ])
  func find(_ command: String, _ ids: [String]) throws {
    let bench = try Bench()
    bench.add("a", "b", "c")
    bench.player.edit { $0.rename(id: 1, "One") }
    bench.player.edit { $0.rename(id: 2, "Two") }
    #expect(bench.client().values("Id", of: command) == ids)
  }

  @Test("A search takes time in proportion to the searched text")
  func longSearch() throws {
    let bench = try Bench()
    for index in 0..<60 { bench.add(String(repeating: "a", count: 8_000) + "\(index)") }
    let part = String(repeating: "a", count: 4_000) + "b"
    let start = Self.threadTime
    #expect(bench.client().values("Id", of: "playlistsearch file \"\(part)\"") == [])
    #expect(Self.threadTime - start < 5 * Processor.slowness)
  }

  /// The processor time of this thread in seconds (`clock_gettime(2)`).
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(
    "An invalid expression is refused",
    arguments: [
      "(", "()", "(a", "(file", "(file ==", "(file == 'a", "(file == 'a'", "(file == 'a') x", "(file ~ 'a')",
      "((file == 'a') OR (file == 'b'))", String(repeating: "(", count: 5_000), String(repeating: "(!", count: 5_000),
    ])
  func badExpressions(_ text: String) throws {
    let answer = try Bench().client().ask("playlistfind \"\(text)\"")
    #expect(answer.hasPrefix("ACK [2@0] {playlistfind} "), "\(answer)")
  }
}

@Suite struct ControlRequestTests {
  @Test(
    "Words are separated by blanks or quotes",
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
    "An invalid line is refused in MPD's words",
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

  @Test(
    "A client's words are read byte for byte",
    arguments: [#"say "hi" \ there"#, "\"\u{301}\\\u{301}", "\\\\\"", "", " a\tb ", "\u{2028}\r", "it's", "e\u{301}"])
  func sent(_ word: String) throws {
    let line = ControlRequest.line([Array("add".utf8), Array(word.utf8), Array("x".utf8)])
    #expect(line.last == 10 && line.dropLast().contains(10) == false)
    let request = try ControlRequest(line.dropLast()[...])
    #expect(request.arguments.map { Array($0.utf8) } == [Array(word.utf8), [0x78]])
  }

  @Test func whatIsNoTextIsSentAsItIs() {
    #expect(
      ControlRequest.line([[0x61], [0xFF, 0x22, 0x0A, 0xC3]]) == Array("a \"".utf8) + [
        0xFF, 0x5C, 0x22, 0x20, 0xC3, 0x22, 0x0A,
      ])
  }

  @Test func anAnswersLinesStayLines() {
    var answer = ControlAnswer()
    answer.add("title", "a\nOK\r\nb\u{1B}[2J\u{9B}\u{A9}")
    answer.add("none", nil as String?)
    for (key, value) in [("a", 1.5), ("b", -0.0004), ("c", -2.25), ("d", .nan), ("e", 12.0006)] {
      answer.add(key, value)
    }
    answer.add(figure: "f", -17.5)
    answer.add(figure: "g", 2)
    #expect(answer.text == "title: a OK  b [2J \u{A9}\na: 1.500\nb: 0.000\nc: -2.250\ne: 12.001\nf: -17.5\ng: 2\n")
    #expect(ControlRefusal(.unknown, "no\nOK").line(to: "x", at: 3) == "ACK [5@3] {x} no OK\n")
  }
}
