import Foundation
import TestSupport
import Testing

@testable import Web

/// The effect of each operation (W4).
@Suite struct ApiTests {
  struct Operation: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    var body: String?
    /// The commands sent to the radio.
    let commands: [String]
    /// The radio's reply to the first command.
    var lines: [String] = []
    /// The response body.
    var answer = "{}"
    var testDescription: String { "\(method) \(path) \(body ?? "")" }

    init(
      _ method: String, _ path: String, _ body: String, _ commands: [String], _ lines: [String] = [],
      _ answer: String = "{}"
    ) {
      self.init(method, path, commands, lines, answer)
      self.body = body
    }

    init(
      _ method: String, _ path: String, _ commands: [String], _ lines: [String] = [], _ answer: String = "{}"
    ) {
      (self.method, self.path, self.commands) = (method, path, commands)
      (self.lines, self.answer) = (lines, answer)
    }
  }

  static let playing: [Operation] = [
    Operation("POST", "/api/play", ["play"]), Operation("POST", "/api/pause", ["pause \"1\""]),
    Operation("POST", "/api/toggle", ["pause"]), Operation("POST", "/api/stop", ["stop"]),
    Operation("POST", "/api/next", ["next"]),
    Operation("POST", "/api/previous", "{}", ["previous"]), Operation("POST", "/api/live", ["radio_live"]),
    Operation("POST", "/api/oldest", ["radio_oldest"]), Operation("POST", "/api/resume", ["radio_resume"]),
    Operation("POST", "/api/seek", "{\"to\":0}", ["seekcur \"0\""]),
    Operation("POST", "/api/seek", "{\"to\":12.3456}", ["seekcur \"12.346\""]),
    Operation("POST", "/api/seek", "{\"by\":30}", ["seekcur \"+30\""]),
    Operation("POST", "/api/seek", "{\"by\":-30.5}", ["seekcur \"-30.500\""]),
    Operation("POST", "/api/volume", "{\"volume\":0}", ["setvol \"0\""]),
    Operation("POST", "/api/mute", "{\"muted\":true}", ["disableoutput \"0\""]),
    Operation("POST", "/api/mute", "{\"muted\":false}", ["enableoutput \"0\""]),
    Operation(
      "POST", "/api/keep", ["radio_keep \"current\""], ["path: a b", "title: T", "goes_on: 1"],
      #"{"path":"a b","title":"T","goes_on":true}"#),
    Operation("POST", "/api/keep", #"{"song":"previous"}"#, ["radio_keep \"previous\""]),
    Operation("POST", "/api/record", #"{"name":"a \"b\" \\c.mp3"}"#, [#"radio_record "start" "a \"b\" \\c.mp3""#]),
    Operation("POST", "/api/record/stop", ["radio_record \"stop\""]),
  ]

  static let stations: [Operation] = [
    Operation("POST", "/api/tune", #"{"station":3}"#, ["radio_tune \"3\""]),
    Operation("POST", "/api/tune", #"{"station":"B\u00e4r"}"#, ["radio_tune \"Bär\""]),
    Operation(
      "POST", "/api/tune", #"{"found":"http://a/","source":"http://d/","name":"A"}"#,
      ["radio_tune_found \"http://a/\" \"http://d/\" \"A\""]),
    Operation(
      "GET", "/api/directory", ["radio_directory"], ["state: running", "received: 1200", "stations: 5"],
      #"{"state":"running","received":1200,"stations":5}"#),
    Operation(
      "POST", "/api/directory", ["radio_directory \"update\""], ["state: requested"], #"{"state":"requested"}"#),
    Operation(
      "GET", "/api/browse?list=near&from=20", ["radio_browse \"near\" \"window\" \"20:40\""],
      ["found: 21", "file: http://a/", "name: A", "country: Germany", "bitrate: 128"],
      #"{"found":21,"entries":[{"file":"http://a/","name":"A","country":"Germany","bitrate":128}]}"#),
    Operation(
      "GET", "/api/browse?list=genres", ["radio_browse \"genres\" \"window\" \"0:1000\""],
      ["found: 2", "genre: pop", "stations: 4", "genre: jazz", "stations: 2"],
      #"{"found":2,"entries":[{"genre":"pop","stations":4},{"genre":"jazz","stations":2}]}"#),
    Operation(
      "GET", "/api/browse?list=country&name=DE", ["radio_browse \"country\" \"DE\" \"window\" \"0:20\""], ["found: 0"],
      #"{"found":0,"entries":[]}"#),
    Operation(
      "GET", "/api/find?words=jazz+caf%C3%A9&from=20", ["radio_find \"jazz café\" \"window\" \"20:40\""],
      ["found: 41", "misspelt: 0", "file: http://a/", "name: <b>A</b>", "bitrate: 128", "hls: 0", "file: http://c/"],
      #"{"found":41,"misspelt":false,"stations":[{"file":"http://a/","name":"<b>A</b>","bitrate":128,"hls":false},"#
        + #"{"file":"http://c/"}]}"#),
    Operation(
      "GET", "/api/find?words=x", ["radio_find \"x\" \"window\" \"0:20\""], ["found: 0", "misspelt: 0"],
      #"{"found":0,"misspelt":false,"stations":[]}"#),
    Operation(
      "GET", "/api/episodes?from=100", ["radio_episodes \"100:200\""],
      ["episode: 1", "title: A: b", "duration: 12.5", "episode: 2", "title: C"],
      #"{"episodes":[{"episode":1,"title":"A: b","duration":12.500},{"episode":2,"title":"C"}]}"#),
    Operation("POST", "/api/episode", #"{"number":7}"#, ["radio_episode \"7\""]),
  ]

  static let recordings: [Operation] = [
    Operation(
      "GET", "/api/recordings?from=100", ["radio_recordings \"100:200\""],
      ["recording: <b>/a.mp3", "bytes: 12", "duration: 1.5", "growing: 1", "recording: c.aac", "bytes: 0"],
      #"{"recordings":[{"recording":"<b>/a.mp3","bytes":12,"duration":1.500,"growing":true},"#
        + #"{"recording":"c.aac","bytes":0}]}"#),
    Operation(
      "PATCH", "/api/recordings/a%2Fb.mp3", #"{"name":"new"}"#, [#"radio_recording_rename "a/b.mp3" "new""#],
      ["recording: a/new.mp3"], #"{"recording":"a/new.mp3"}"#),
    Operation("DELETE", "/api/recordings/a%2Fb%20%22.mp3", [#"radio_recording_delete "a/b \".mp3""#]),
    Operation("POST", "/api/recordings/play.mp3/play", ["radio_recording_play \"play.mp3\""]),
  ]

  static let house: [Operation] = [
    Operation(
      "GET", "/api/presets", [], [],
      #"{"presets":[{"number":1,"name":"http://one/","url":"http://one/"},{"number":2,"name":"Two","#
        + #""url":"http://two/"}]}"#),
    Operation("POST", "/api/presets", ["radio_preset \"add\""]),
    Operation("POST", "/api/presets", #"{"name":"N","url":"http://n/"}"#, ["radio_preset \"add\" \"N\" \"http://n/\""]),
    Operation(
      "POST", "/api/presets", #"{"number":2,"url":"u","name":"N"}"#, ["radio_preset \"add\" \"N\" \"u\" \"2\""]),
    Operation(
      "PATCH", "/api/presets/3", #"{"name":"M","gain":-2.5,"headers":["A: b","C: d"],"user":null,"talk":true}"#,
      [
        "radio_preset \"edit\" \"3\" \"gain\" \"-2.500\"", "radio_preset \"edit\" \"3\" \"headers\" \"A: b\" \"C: d\"",
        "radio_preset \"edit\" \"3\" \"user\" \"\"", "radio_preset \"edit\" \"3\" \"talk\" \"true\"",
        "radio_preset \"edit\" \"3\" \"name\" \"M\"",
      ]),
    Operation("DELETE", "/api/presets/12", ["radio_preset \"remove\" \"12\""]),
    Operation("POST", "/api/presets/3/move", #"{"number":1}"#, ["radio_preset \"move\" \"3\" \"1\""]),
    Operation(
      "GET", "/api/rooms", ["radio_room"],
      ["room: Bath", "number: 1", "volume: 30", "muted: 0", "connected: 1", "problem: Nobody answers."],
      #"{"rooms":[{"room":"Bath","number":1,"volume":30,"muted":false,"connected":true}],"#
        + #""problem":"Nobody answers."}"#),
    Operation("PATCH", "/api/rooms/2", #"{"volume":5}"#, ["radio_room \"2\" \"5\""]),
    Operation(
      "PATCH", "/api/rooms/2", #"{"muted":true,"volume":5}"#, ["radio_room \"2\" \"5\"", "radio_room \"2\" \"mute\""]),
    Operation(
      "GET", "/api/settings", ["radio_setting \"list\""],
      [
        "key: timezone", "value: ", "default: ", "applies: now", "key: a.b", "value: 5", "default: 3",
        "applies: restart",
      ],
      #"{"settings":[{"key":"timezone","value":"","default":"","applies":"now"},"#
        + #"{"key":"a.b","value":"5","default":"3","applies":"restart"}]}"#),
    Operation(
      "PUT", "/api/settings/panel.scroll_ms", #"{"value":200}"#, ["radio_setting \"panel.scroll_ms\" \"200\""],
      ["applies: now", "panel.scroll_ms: 200"], #"{"applies":"now","key":"panel.scroll_ms","value":"200"}"#),
    Operation(
      "PUT", "/api/settings/panel.idle_clock", #"{"value":true}"#, ["radio_setting \"panel.idle_clock\" \"true\""]),
    Operation("POST", "/api/sleep", #"{"minutes":30}"#, ["radio_sleep \"30\""]),
    Operation("POST", "/api/sleep", #"{"minutes":0}"#, ["radio_sleep \"0\""]),
    Operation("POST", "/api/power", #"{"on":true}"#, ["radio_power \"on\""]),
    Operation("POST", "/api/power", #"{"on":false}"#, ["radio_power \"off\""]),
    Operation("DELETE", "/api/settings/language", ["radio_setting \"language\" \"reset\""]),
    Operation(
      "GET", "/api/moved", [], ["preset: A", "url: u", "new_url: v", "preset: B"],
      #"{"moved":[{"preset":"A","url":"u","new_url":"v"},{"preset":"B"}]}"#),
    Operation("POST", "/api/moved", #"{"preset":"A","accept":true}"#, ["radio_relocate \"accept\" \"A\""]),
    Operation("POST", "/api/moved", #"{"preset":"A","accept":false}"#, ["radio_relocate \"refuse\" \"A\""]),
    Operation(
      "GET", "/api/display", ["radio_display"], ["columns: 20", "rows: 2", "lit: 1", "row_1:   a: b", "row_2: c"],
      #"{"columns":20,"rows":2,"lit":true,"lines":["  a: b","c"]}"#),
  ]

  @Test(
    "An operation is a command of the radio, and its reply an object (W4)",
    arguments: [playing, stations, recordings, house])
  func operations(_ operations: [Operation]) async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser()
      for operation in operations {
        let name = operation.path == "/api/moved" && operation.method == "GET" ? "radio_relocate" : nil
        let first = name ?? operation.commands.first.map { String($0.prefix { $0 != " " }) }
        if let first { bench.radio?.set { $0.answers[first] = operation.lines } }
        let answer = try browser.request(operation.method, operation.path, operation.body)
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/json", "\(operation)")
        #expect(answer.text == operation.answer, "\(operation)")
        #expect(bench.radio?.takeAsked() == operation.commands, "\(operation)")
        if let first { bench.radio?.set { $0.answers[first] = nil } }
      }
    }
  }

  @Test("An unknown key is named in printable form, with the known ones")
  func unknownKeys() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser()
      let answer = try browser.request("GET", "/api/find?words=a&x%00%1b=1")
      #expect(answer.json["error"] as? String == #"There is no "x" here; known are words, from."#)
      let other = try browser.request("POST", "/api/play", #"{"a":1}"#)
      #expect(other.json["error"] as? String == #"There is no "a" here; nothing is taken."#)
    }
  }

  @Test("Each row of the table is tested")
  func allRows() {
    let tried = (Self.playing + Self.stations + Self.recordings + Self.house).map {
      ($0.method, $0.path.prefix { $0 != "?" })
    }
    for row in ApiTable.rows {
      guard case .radio = row.work else { continue }
      #expect(tried.contains { $0.0 == row.method.rawValue && row.place(in: String($0.1)) != nil }, "\(row.path)")
    }
  }

  @Test("The toggle plays a stopped radio")
  func toggle() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser()
      bench.radio?.change("state: stopped")
      #expect(try bench.waits { try browser.request("GET", "/api/status").json["state"] as? String == "stopped" })
      #expect(try browser.request("POST", "/api/toggle").status == 200)
      #expect(bench.radio?.takeAsked() == ["play"])
    }
  }

  static let wrong: [(String, String, String, Int)] = [
    ("POST", "/api/volume", "", 400), ("POST", "/api/volume", "{}", 400), ("POST", "/api/volume", "[]", 400),
    ("POST", "/api/volume", "{\"volume\":101}", 400), ("POST", "/api/volume", "{\"volume\":-1}", 400),
    ("POST", "/api/volume", "{\"volume\":1.5}", 400), ("POST", "/api/volume", "{\"volume\":\"5\"}", 400),
    ("POST", "/api/volume", "{\"volume\":1e400}", 400), ("POST", "/api/volume", "{\"volume\":5,\"a\":1}", 400),
    ("POST", "/api/volume", "{\"volume\":5,\"volume\":6}", 400), ("POST", "/api/volume", "{\"volume\":null}", 400),
    ("POST", "/api/volume", "{\"volume\":5", 400), ("POST", "/api/volume", "{\"volume\":5}x", 400),
    ("POST", "/api/volume", "{\"volume\":{}}", 400), ("POST", "/api/play", "{\"a\":1}", 400),
    ("POST", "/api/play", "[[[[[[[[]]]]]]]]", 400), ("POST", "/api/seek", "{}", 400),
    ("POST", "/api/seek", "{\"to\":1,\"by\":1}", 400), ("POST", "/api/seek", "{\"to\":-1}", 400),
    ("POST", "/api/tune", "{}", 400), ("POST", "/api/tune", "{\"station\":\"a\\nstop\"}", 400),
    ("POST", "/api/tune", "{\"station\":\"\\u0000\"}", 400), ("POST", "/api/tune", "{\"station\":0}", 400),
    ("POST", "/api/tune", "{\"station\":\"\"}", 400), ("POST", "/api/tune", "{\"found\":\"a\"}", 400),
    ("POST", "/api/record", "{\"name\":\"/etc/passwd\"}", 400), ("POST", "/api/record", "{\"name\":\"../a\"}", 400),
    ("POST", "/api/record", "{\"name\":\"a/b\"}", 400), ("POST", "/api/record", "{\"name\":\".\"}", 400),
    ("POST", "/api/record", "{\"name\":\"\"}", 400), ("POST", "/api/keep", "{\"song\":\"next\"}", 400),
    ("POST", "/api/presets", "{\"name\":\"A\"}", 400), ("PATCH", "/api/presets/1", "{}", 400),
    ("PATCH", "/api/presets/1", "{\"Name\":\"A\"}", 400), ("PATCH", "/api/presets/1", "{\"a b\":\"A\"}", 400),
    ("PATCH", "/api/presets/1", "{\"name\":{}}", 400), ("PATCH", "/api/presets/1", "{\"query\":[{}]}", 400),
    ("PATCH", "/api/rooms/1", "{}", 400), ("PUT", "/api/settings/language", "{}", 400),
    ("POST", "/api/moved", "{\"preset\":\"A\"}", 400), ("POST", "/api/login", "{}", 400),
    ("GET", "/api/find", "", 400), ("GET", "/api/find?words=", "", 400), ("GET", "/api/find?words=%20", "", 400),
    ("GET", "/api/find?words=a&from=x", "", 400), ("GET", "/api/find?words=a&from=-1", "", 400),
    ("GET", "/api/find?words=%FF", "", 400), ("GET", "/api/find?words=%0Astop", "", 400),
    ("GET", "/api/find?words=%2", "", 400), ("GET", "/api/find?words=a&x=1", "", 400),
    ("GET", "/api/find?words=a&words=b", "", 400), ("GET", "/api/find?words=%00", "", 400),
  ]

  @Test("A wrong request gets a sentence, and nothing reaches the radio")
  func wrongRequests() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser()
      for (method, path, body, status) in Self.wrong {
        let answer = try browser.request(method, path, body.isEmpty ? nil : body)
        #expect(answer.status == status, "\(method) \(path) \(body): \(answer.text)")
        #expect((answer.json["error"] as? String)?.hasSuffix(".") == true && !answer.code.isEmpty)
      }
      #expect(bench.radio?.takeAsked() == [])
    }
  }

  @Test("A radio's refusal is 409 with its words; a missing radio is 503, a silent one 504")
  func refusals() async throws {
    try await Stage.run(speed: 5) {
      let bench = try WebBench()
      let browser = try bench.browser()
      bench.radio?.set {
        $0.answers["radio_tune"] = ["ACK [50@0] {radio_tune} There is no such station; give its number."]
        $0.answers["radio_browse"] = ["ACK [50@0] {radio_browse} There is no station directory"]
        $0.answers["radio_find"] = ["ACK [50@0] {radio_find} There is no station directory"]
        $0.answers["radio_preset"] = ["ACK [2@0] {radio_preset} }{ odd"]
      }
      let answer = try browser.request("POST", "/api/tune", "{\"station\":9}")
      #expect(answer.status == 409 && answer.code == "notFound")
      #expect(answer.json["error"] as? String == "There is no such station; give its number.")
      #expect(try browser.request("GET", "/api/find?words=a").code == "noDirectory")
      #expect(try browser.request("GET", "/api/browse?list=near").code == "noDirectory")
      #expect(try browser.request("DELETE", "/api/presets/1").json["error"] as? String == "}{ odd")
      bench.radio?.set { $0.silent = ["stop"] }
      #expect(try browser.request("POST", "/api/stop").code == "silent")
      bench.radio?.set { $0.silent = [] }
      #expect(bench.waits(for: 200, by: browser, "GET", "/api/status"))
      bench.stopRadio()
      #expect(bench.waits(for: 503, by: browser, "POST", "/api/play"))
      #expect(try browser.request("GET", "/api/status").code == "absent")
      #expect(try browser.request("GET", "/api/session").json["radio"] as? Bool == false)
      try bench.restartRadio()
      #expect(bench.waits(for: 200, by: browser, "POST", "/api/play"))
    }
  }

  @Test("The status has numbers and flags, and the playing preset's number")
  func status() async throws {
    try await Stage.run {
      let bench = try WebBench()
      bench.radio?.set {
        $0.status = [
          "state: playing", "audible: 1", "live: 1", "timeshift: 0.000", "held: 12.345", "bitrate: 128",
          "title: <img src=x onerror=alert(1)> \"quoted\" \\ \u{2028}", "level_l: -20.5", "spectrum: 1 2 3",
          "error: ", "volume: no",
        ]
      }
      let text = try bench.browser().request("GET", "/api/status").text
      #expect(
        text == #"{"radio":true,"state":"playing","audible":true,"live":true,"timeshift":0.000,"held":12.345,"#
          + #""bitrate":128,"title":"<img src=x onerror=alert(1)> \"quoted\" \\ \u2028","level_l":-20.500,"#
          + #""spectrum":[1,2,3],"error":"","volume":"no","preset":2}"#)
    }
  }
}
