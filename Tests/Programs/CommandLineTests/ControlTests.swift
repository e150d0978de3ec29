import Foundation
import StationSupport
import System
import TestSupport
import Testing

@testable import bakelite

/// Tests the control socket of `bakelite play` (D13).
@Suite struct ControlTests {
  @Test("Status, time shift, tune and events work over the socket")
  func socket() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation { visit in
        [.live("icy-br: 128"), .send(visit.path == "/b" ? Clip.mp3(4).bytes : clip.bytes), .stall]
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      let program = try Program(["play", "--output", "null", "--control", path, station.url("/a"), station.url("/b")])
      #expect(program.waitForError("Playing after"))
      let events = try ControlPeer(path)
      let peer = try ControlPeer(path)
      #expect(events.request("radio_events") == [])
      let status = peer.status()
      #expect((status["state"], status["codec"], status["told_bitrate"]) == ("playing", "MP3", "128"))
      #expect((status["station"], status["network"]) == ("Test FM", "connected"))
      #expect(peer.request("pause") == [] && peer.status()["state"] == "paused")
      #expect(events.waitForReceived("\"event\":\"paused\",\"reason\":\"user\""))
      #expect(peer.waitForNumber("held") { $0 > 15 })
      #expect(peer.request("radio_forward 10") == [])
      #expect(events.waitForReceived("seekDone"))
      let position = Double(peer.status()["position"] ?? "") ?? 0
      #expect(position > 9.9 && position < 13)
      #expect(peer.request("radio_rewind ten")?.first?.hasPrefix("ACK [2@0]") == true)
      #expect(peer.request("radio_dance")?.first?.hasPrefix("ACK [5@0]") == true)
      #expect(peer.request("radio_tune /etc/passwd")?.first?.hasPrefix("ACK [50@0]") == true)
      #expect(peer.request("radio_tune 2") == [])
      #expect(events.waitForReceived("\"event\":\"playing\""))
      #expect(station.visits.last?.path == "/b")
      #expect(peer.request("stop") == [] && events.waitForReceived("\"event\":\"stopped\",\"reason\":\"user\""))
      #expect(peer.status()["network"] == "off")
      #expect(peer.request("play") == [] && events.waitForReceived("\"event\":\"playing\""))
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("An unplayable station from a client is reported, and the radio waits for the next command")
  func wrongTune() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.path == "/a" ? StationAction.onAir(.mp3(20)) : StationAction.response("404 Not Found")
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      let program = try Program(["play", "--output", "null", "--control", path, station.url("/a")])
      #expect(program.waitForError("Playing after"))
      let peer = try ControlPeer(path)
      func becomes(_ state: String) -> Bool {
        let end = monotonicSeconds() + 10
        while peer.status()["state"] != state {
          guard monotonicSeconds() < end else { return false }
          usleep(20_000)
        }
        return true
      }
      for _ in 0..<2 {
        #expect(peer.request("radio_tune \(station.url("/gone"))") == [] && becomes("stopped"))
        #expect(peer.status()["error"]?.contains("404") == true)
        #expect(peer.request("radio_tune 1") == [] && becomes("playing"))
      }
      program.interrupt()
      let outcome = try program.waitForEnd(within: 5)
      #expect(outcome.code == 0 && outcome.errors.contains("Waiting for the next command."))
      let wrong = try Program.run("play", "--output", "null", "--control", path, station.url("/gone"))
      #expect(wrong.code == 3)
      let wrongs = [station.url("/gone"), station.url("/gone2")]
      let twice = try Program(["play", "--output", "null", "--control", path] + wrongs).waitForEnd(within: 20)
      #expect(twice.code == 3, "what comes next by itself is nobody's choice")
    }
  }

  @Test("ctl lists the episodes of a podcast, and plays one by number")
  func episodes() async throws {
    try await Stage.run {
      let items = [1, 2].map {
        "<item><title>Talk \($0)</title><guid>\($0)</guid><pubDate>Fri, \(23 - $0) Nov 2026 06:00:00 GMT</pubDate>"
          + "<enclosure url=\"/\($0).mp3\" type=\"audio/mpeg\"/></item>"
      }
      let (feed, clip) = ("<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>", Clip.mp3(20))
      let station = try ScriptedStation { visit in
        visit.path == "/feed"
          ? StationAction.response("200 OK", feed, type: "application/rss+xml")
          : [.file(clip.bytes.count), .send(clip.bytes)]
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      let program = try Program(["play", "--output", "null", "--control", path, station.url("/feed")])
      #expect(program.waitForError("Playing after"))
      let list = try Program.run("ctl", "--socket", path, "episodes")
      #expect((list.code, list.outputText) == (0, "1  2026-11-22  Talk 1\n2  2026-11-21  Talk 2\n"))
      let json = try Program.run("ctl", "--socket", path, "episodes", "--json")
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]]
      #expect(object?.last?["episode"] as? Int == 2 && object?.last?["title"] as? String == "Talk 2")
      #expect(try Program.run("ctl", "--socket", path, "episode", "2").code == 0)
      #expect(try ControlPeer(path).waitForNumber("episode") { $0 == 2 })
      #expect(try Program.run("ctl", "--socket", path, "episode", "3").code == 1)
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("ctl prints replies for people and for programs")
  func ctl() async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live("icy-br: 128"), .send(Clip.mp3(20).bytes), .stall])
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      func ctl(_ words: String...) throws -> Program.Outcome {
        try Program(["ctl", "--socket", path] + words).waitForEnd()
      }
      let alone = try ctl("status")
      #expect((alone.code, alone.outputText) == (1, ""))
      #expect(alone.errors == "bakelite: No radio answers at \(path); is bakelited running?\n")
      let program = try Program(["play", "--output", "null", "--control", path, station.url("/a")])
      #expect(program.waitForError("Playing after"))
      let events = try Program(["ctl", "--socket", path, "events"])
      let status = try ctl("status", "--json")
      let object = try JSONSerialization.jsonObject(with: Data(status.output)) as? [String: Any]
      #expect(status.code == 0 && object?["state"] as? String == "playing" && object?["audible"] as? Bool == true)
      #expect(object?["held"] is Double && object?["station"] as? String == "Test FM")
      #expect(try ctl("status").outputText.hasPrefix("Playing: Test FM\n"))
      for words in [
        ["status", "--socket", path], ["status", "--socket=" + path], ["--json", "status", "--socket", path],
        ["status", "--json", "--socket", path], ["status", "--socket", path, "--json"],
      ] {
        let outcome = try Program(["ctl"] + words).waitForEnd()
        #expect(outcome.code == 0 && outcome.outputText.contains("Test FM"), "\(words): \(outcome.errors)")
        #expect(outcome.outputText.hasPrefix("{") == words.contains("--json"), "\(words)")
      }
      let own = try ctl("sendmessage", "a", "--", "--socket")
      #expect((own.code, own.errors.contains("nobody is subscribed")) == (1, true), "\(own.errors)")
      let list = try JSONSerialization.jsonObject(with: Data(try ctl("list", "--json").output)) as? [[String: Any]]
      #expect(list?.count == 1 && list?[0]["Name"] as? String == "Test FM" && list?[0]["Pos"] as? Int == 0)
      #expect(try ctl("pause").code == 0 && events.waitForOutput(1))
      let refused = try ctl("play", "7")
      #expect((refused.code, refused.errors) == (2, "bakelite: The radio refused: Bad song index\n"))
      #expect(try ctl("add", "x y").code == 1 && ctl("rewind", "1").code == 0 && ctl("dance").code == 2)
      #expect(try ctl("add", "http://radio.example/a b\"c").code == 0)
      let two = try JSONSerialization.jsonObject(with: Data(try ctl("list", "--json").output)) as? [[String: Any]]
      #expect(two?.last?["file"] as? String == "http://radio.example/a b\"c")
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
      let followed = try events.waitForEnd(within: 5)
      #expect(followed.code == 1 && followed.events.contains("paused"))
    }
  }

  @Test("The state of the box and of a file is printed for people, and as numbers and flags for programs")
  func answers() throws {
    let answer = CtlAnswer([
      "state: playing", "audible: 1", "suspended: 0", "station: Mine", "title: Band - Song", "artist: Band",
      "track: Song", "live: 0", "held: 3.500", "position: 62.000", "duration: 3725.500", "seekable: 1",
      "rewind_allowed: 1", "fast_forward_allowed: 0", "volume: 40", "muted: 1", "recording: /r/a.mp3",
      "recording_bytes: 1200", "recording_seconds: 61.000", "codec: MP3", "bitrate: 128", "spectrum: -96 -3",
      "standby: 0", "sleep_minutes: 12",
    ])
    #expect(
      answer.summary == """
        Playing: Mine
        Title: Band - Song
        Position: 1:02 of 1:02:05
        Buffer: 0:03; MP3, 128 kbit/s
        Volume: 40 %, muted
        Sleep: in 12 min
        Recording: /r/a.mp3, 1:01
        """)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.json(.object).utf8)) as? [String: Any])
    for key in ["held", "position", "duration", "volume", "recording_bytes", "recording_seconds", "sleep_minutes"] {
      #expect(object[key] is Double, "\(key)")
    }
    let flags = [
      "audible", "suspended", "live", "seekable", "rewind_allowed", "fast_forward_allowed", "muted", "standby",
    ]
    #expect(flags.map { object[$0] as? Bool } == [true, false, false, true, true, false, true, false])
    #expect(object["spectrum"] as? [Int] == [-96, -3] && object["title"] as? String == "Band - Song")
    let idle = CtlAnswer(["state: stopped", "station: Mine", "standby: 1", "volume: 40", "muted: 0"])
    #expect(idle.summary == "Standby: Mine\nVolume: 40 %")
    let slow = CtlAnswer([
      "state: playing", "audible: 1", "station: Mine", "source_reason: The line is too slow for 128 kbit/s.",
      "live: 0", "held: 3", "position: 2", "volume: 40", "muted: 0",
    ])
    #expect(slow.summary.contains("\nLower bit rate: The line is too slow for 128 kbit/s.\n"))
    for (cause, reason) in [("disconnected", "Before: The reason."), ("slowLine", "The reason.")] {
      let other = CtlAnswer([
        "state: playing", "audible: 1", "station: Mine", "source: http://b/b", "source_kind: address",
        "source_for: 62", "source_reason: The reason.", "source_cause: \(cause)", "live: 0", "held: 3", "position: 2",
      ])
      #expect(other.summary.contains("\nSource: http://b/b, for 1:02. \(reason)\n"), "\(other.summary)")
    }
  }

  @Test("A box that is a room reports the room and the snapserver's programme (M1)")
  func room() {
    let answer = CtlAnswer([
      "state: stopped", "volume: 5", "muted: 1", "room: Bath", "room_connected: 1", "stream: Bakelite",
      "stream_playing: 1", "stream_station: Mine", "stream_title: Song",
    ])
    #expect(answer.summary == "Playing: Mine\nRoom: Bath\nTitle: Song\nVolume: 5 %, muted")
    let alone = CtlAnswer(["state: stopped", "room_connected: 0", "stream_playing: 0", "problem: Nobody answers."])
    #expect(
      alone.summary == """
        Stopped: no station at the snapserver
        Room: not known to the snapserver
        Trouble: Nobody answers.
        """)
  }

  @Test("radio_find prints a count and one object per station for programs (G4)")
  func found() {
    let first = ["file: http://a.example/", "name: A", "state: Bavaria", "bitrate: 128", "hls: 0", "votes: 7"]
    let second = ["file: http://b.example/", "name: B", "hls: 1", "votes: 3", "alive: 0"]
    let head = ["found: 2", "misspelt: 1"]
    let answer = CtlAnswer(head + first + ["alive: 1"] + second)
    let (one, other) = (
      #"{"file":"http://a.example/","name":"A","state":"Bavaria","bitrate":128,"hls":false,"votes":7,"alive":true}"#,
      #"{"file":"http://b.example/","name":"B","hls":true,"votes":3,"alive":false}"#
    )
    let shape = CtlShape(["radio_find", "jazz"])
    #expect(answer.json(shape) == #"[{"found":2,"misspelt":true},\#(one),\#(other)]"#)
    #expect(CtlAnswer(head + first + ["alive: 1"]).json(shape) == #"[{"found":2,"misspelt":true},\#(one)]"#)
    #expect(CtlAnswer(["found: 0", "misspelt: 0"]).json(shape) == #"[{"found":0,"misspelt":false}]"#)
    let size = ["artists: 200", "albums: 0", "songs: 40000", "db_playtime: 0", "db_update: 1800000000"]
    #expect(
      CtlAnswer(size).json(CtlShape(["stats"]))
        == #"{"artists":200,"albums":0,"songs":40000,"db_playtime":0,"db_update":1800000000}"#)
  }

  @Test(
    "The JSON of a command has one shape for any number of rows",
    arguments: [
      ("playlistinfo", ["file: a", "Pos: 0"], #"{"file":"a","Pos":0}"#),
      ("radio_episodes", ["episode: 1"], #"{"episode":1}"#),
      (
        "radio_recordings", ["recording: a.mp3", "bytes: 1", "growing: 0"],
        #"{"recording":"a.mp3","bytes":1,"growing":false}"#
      ),
      ("radio_room", ["room: A", "volume: 3"], #"{"room":"A","volume":3}"#),
      ("outputs", ["outputid: 0"], #"{"outputid":0}"#),
      ("lsinfo", ["directory: a"], #"{"directory":"a"}"#), ("list Genre", ["Genre: a"], #"{"Genre":"a"}"#),
      ("listplaylists", ["playlist: a"], #"{"playlist":"a"}"#), ("idle", ["changed: player"], #"{"changed":"player"}"#),
      ("radio_relocate", ["preset: a"], #"{"preset":"a"}"#), ("radio_setting list", ["key: a"], #"{"key":"a"}"#),
      ("playlist", ["0:file: a"], #"{"file":"a"}"#), ("plchangesposid 1", ["cpos: 0", "Id: 1"], #"{"cpos":0,"Id":1}"#),
      ("decoders", ["plugin: a", "suffix: b"], #"{"plugin":"a","suffix":["b"]}"#),
      ("count a group Genre", ["Genre: a", "songs: 1"], #"{"Genre":"a","songs":1}"#),
    ])
  func listShapes(words: String, row: [String], object: String) {
    let words = words.split(separator: " ").map(String.init)
    for count in [0, 1, 2, 3] {
      let lines = (0..<count).flatMap { _ in row }
      let objects = Array(repeating: object, count: count).joined(separator: ",")
      #expect(CtlAnswer(lines, of: words[0]).json(CtlShape(words)) == "[\(objects)]")
    }
  }

  @Test("The JSON of a command without a list is one object, also without lines")
  func objectShapes() {
    for words in [
      ["radio_status"], ["currentsong"], ["radio_setting", "panel.scroll_ms"], ["radio_relocate", "accept"],
    ] {
      #expect(CtlShape(words) == .object)
      #expect(CtlAnswer([]).json(CtlShape(words)) == "{}")
    }
    #expect(CtlAnswer(["directory: a", "file: b"]).json(CtlShape(["lsinfo"])) == #"[{"directory":"a"},{"file":"b"}]"#)
    let decoder = ["plugin: a", "suffix: b", "suffix: c", "mime_type: d", "plugin: e"]
    let decoders = #"[{"plugin":"a","suffix":["b","c"],"mime_type":["d"]},{"plugin":"e"}]"#
    #expect(CtlAnswer(decoder).json(CtlShape(["decoders"])) == decoders)
    let grouped = ["Artist: a", "Title: b", "Title: c"]
    #expect(CtlAnswer(grouped).json(CtlShape(["list"])) == #"[{"Artist":"a","Title":"b"},{"Title":"c"}]"#)
  }

  @Test("ctl accepts the radio's commands without prefix, except the two in its help")
  func ownCommands() throws {
    let document = String(decoding: Repository.bytes("config/CONTROL.md"), as: UTF8.self)
    let told = document.matches(of: /\n\| `radio_([a-z_]+)/).map { String($0.1) }
    #expect(told.count > 20 && Set(told).subtracting(CtlCommand.names) == ["find", "tune_found"])
  }

  @Test("A reader of events that leaves ends ctl and play with one sentence")
  func readerGone() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(20)) }
      defer { station.close() }
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let program = try Program(["play", "--output", "null", "--events", "-", "--control", socket, station.url()])
      #expect(program.waitForError("Playing after"))
      let events = try Program(["ctl", "--socket", socket, "events"])
      let peer = try ControlPeer(socket)
      // The first event ends the reader, which does not read the second event. ctl ends as other tools do.
      let sentence = "Could not write events to standard output: the program that read it ended.\n"
      for (reader, code, count) in [(events, SIGPIPE, 0), (program, 1, 1)] {
        reader.closeOutput()
        for _ in 0..<200 where reader.isRunning {
          _ = peer.request("pause")
          usleep(10_000)
        }
        let outcome = try reader.waitForEnd(within: 5)
        #expect(outcome.code == code && outcome.errors.components(separatedBy: sentence).count == count + 1)
        #expect(count > 0 || outcome.errors.isEmpty, "\(outcome.errors)")
      }
    }
  }

  @Test("ctl sends the shell's words, and prints no direction characters")
  func bytes() async throws {
    try await Stage.run {
      let radio = try PretendedRadio()
      func ctl(_ words: String..., last: String = "") throws -> Program.Outcome {
        // The shell's printf creates bytes that are invalid in a `String`.
        let shell = ["/bin/sh", "-c", "exec \"$@\" \"$(printf '\(last)')\"", "sh"]
        return try Program(["ctl", "--socket", radio.path] + words, by: last.isEmpty ? [] : shell).waitForEnd()
      }
      radio.answer = "title: a\u{202E}b\u{2066}c\u{200F}\nOK\n"
      #expect(try ctl("gain", "say \"\u{301}hi\\", last: "caf\\351 \"x").outputText == "title: abc\n")
      let (first, second) = ("\"say \\\"\u{301}hi\\\\\"", Array("\"caf".utf8) + [0xE9] + Array(" \\\"x\"".utf8))
      #expect(radio.received == Array("radio_gain \(first) ".utf8) + second)
      #expect(try ctl("currentsong", "--json").outputText == #"{"title":"a\u202eb\u2066c\u200f"}"# + "\n")
      radio.answer = "OK\n"
      #expect(try ctl("tune", "jazz", "radio").code == 0 && radio.received == Array("radio_tune \"jazz radio\"".utf8))
      radio.answer = "ACK [50@0] {x} no\u{202E}\u{9B} song\n"
      #expect(try ctl("x").errors == "bakelite: The radio refused: no song\n")
      radio.answer = "OK\n{\"title\":\"a\u{202E}\"}\n"
      #expect(try ctl("events").outputText == "{\"title\":\"a\"}\n")
    }
  }

  @Test(
    "An address that must not be served is refused with a sentence",
    arguments: [
      (["--listen", "0.0.0.0:0"], 2, "other machines; add --password-file, or listen on 127.0.0.1."),
      (["--listen", "[::]:0"], 2, "[::]:0 is reachable by other machines"),
      (["--listen", "radio:6600"], 2, "is not an address to listen on"),
      (["--control", "/etc/hostname"], 1, "is a file and no control socket"),
      (
        ["--listen", "127.0.0.1:0", "--password-file", "/nowhere"], 2,
        "--password-file: the file /nowhere cannot be read"
      ),
    ] as [([String], Int32, String)])
  func refusals(_ options: [String], _ code: Int32, _ words: String) throws {
    let outcome = try Program(["play", "--output", "null"] + options + ["http://127.0.0.1:9/"]).waitForEnd()
    #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
  }
}

/// A server that replies to the first line of each client with a fixed text, and disconnects.
private final class PretendedRadio: @unchecked Sendable {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/socket" }
  private let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  private let words = Locked((answer: "OK\n", heard: [UInt8]()))

  var answer: String {
    get { words.withLock { $0.answer } }
    set { words.withLock { $0.answer = newValue } }
  }
  /// The last received line, without its line feed.
  var received: [UInt8] { words.withLock { $0.heard } }

  init() throws {
    guard withUnixAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
      throw POSIXError(.EADDRINUSE)
    }
    let (door, words) = (self.listener, self.words)
    Thread.detachNewThread {
      defer { close(door) }
      while case let client = accept(door, nil, nil), client >= 0 {
        defer { close(client) }
        Self.reply("OK MPD 0.23.5\n", client)
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while recv(client, &byte, 1, 0) == 1, byte != 10 { line.append(byte) }
        words.withLock { $0.heard = line }
        Self.reply(words.withLock { $0.answer }, client)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func reply(_ text: String, _ client: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
