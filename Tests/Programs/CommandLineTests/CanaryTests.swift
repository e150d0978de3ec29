import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// Plays stations with secrets, and checks that no output contains a secret.
@Suite struct CanaryTests {
  private enum Canary {
    static let user = "kanariUser"
    static let password = "kanariPass"
    static let query = "key=kanariQuery"
    static let header = "X-Listener: kanariHeader"
    static let redirect = "sid=kanariRedirect"
    static let entry = "pin=kanariEntry"

    /// True if the text contains a secret, in clear text or as Base64 credentials.
    static func isSeen(in text: String) -> Bool {
      text.lowercased().contains("kanari") || text.contains(Data("\(user):\(password)".utf8).base64EncodedString())
    }
  }

  /// Expects a text without secrets. A missing text fails.
  private func expectClean(_ text: String?, _ what: String) {
    #expect(text.map { !Canary.isSeen(in: $0) } == true, "\(what): \(text ?? "nothing")")
  }

  private static func station() throws -> ScriptedStation {
    let titles = Icy.interleave(Clip.mp3(40).bytes, metaint: 4_000, titles: [(at: 0, text: "Band - Song")])
    return try ScriptedStation { visit in
      switch visit.path.prefix(while: { $0 != "?" }) {
      case "/list": StationAction.response("200 OK", list, type: "audio/x-mpegurl")
      case "/air":
        StationAction.response("200 OK", "<a><e><title>Song \(visit.number)</title></e></a>", type: "text/xml")
      case "/turn": StationAction.redirect("/live?\(Canary.redirect)")
      case "/live": [.live("icy-metaint: 4000"), .pace(titles, perSecond: 16_200, burst: 64_000), .stall]
      case "/bare":
        [.head("200 OK", ["Content-Type: audio/mpeg"]), .pace(Clip.mp3(40).bytes, perSecond: 16_000, burst: 64_000)]
      case "/broken": [.live(), .send(Clip.mp3(3).bytes), .reset]
      case "/feed": StationAction.response("200 OK", feed, type: "application/rss+xml")
      case "/talk.mp3": StationAction.file(ToneMp3.frames(400, seed: 7))
      case "/page": StationAction.response("200 OK", "<html><body>kein Ton</body></html>", type: "text/html")
      case "/wma": StationAction.response("200 OK", "x", type: "audio/x-ms-wma")
      case "/401": StationAction.response("401 Unauthorized")
      case "/503": StationAction.response("503 Service Unavailable")
      case "/odd": StationAction.redirect("rtsp://kanariUser:kanariPass@127.0.0.1/?\(Canary.redirect)")
      case "/round": StationAction.redirect("/round?\(Canary.redirect)")
      default: StationAction.response("404 Not Found")
      }
    }
  }

  /// A playlist; its second title is the entry's address, as in some real lists.
  private static let list = """
    #EXTM3U
    /gone?\(Canary.entry)
    #EXTINF:-1,http://kanariUser:kanariPass@a/turn?\(Canary.entry)
    /turn?\(Canary.entry)
    #EXTINF:-1,/turn?a=b&\(Canary.entry)
    /turn?a=b&\(Canary.entry)
    #EXTINF:-1,127.0.0.1/live?n=My Radio&\(Canary.entry)
    http://127.0.0.1/live?n=My Radio&\(Canary.entry)
    #EXTINF:-1,http://a/x,http://kanariUser:kanariPass@h/
    /turn?c=d

    """

  private static let feed = """
    <rss version="2.0"><channel><title>Talk</title><item><guid isPermaLink="true">http://a/?\(Canary.entry)</guid>
    <title>/talk.mp3?\(Canary.entry)</title>
    <enclosure url="/talk.mp3?\(Canary.entry)" type="audio/mpeg"/></item></channel></rss>
    """

  private static func address(_ path: String, at station: ScriptedStation) -> String {
    station.url("\(path)?\(Canary.query)").replacing("//", with: "//\(Canary.user):\(Canary.password)@")
  }

  private static let paths = [
    "/bare", "/broken", "/feed", "/page", "/wma", "/401", "/503", "/odd", "/round", "/none",
  ]

  @Test("Clients, display, log, status and files show no secret of a station")
  func box() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let box = try Box()
      let records = box.folder.path + "/kept"
      let settings = String(decoding: box.folder.bytes(of: "bakelite.toml"), as: UTF8.self)
      box.folder.write(Array("\(settings)\n[recording]\npath = \"\(records)\"\n".utf8), to: "bakelite.toml")
      box.folder.write(Array(Self.stations(station).utf8), to: "stations.toml")
      try box.start()
      #expect(box.manager.receives("STATUS=playing: First"))
      #expect(station.visits.contains { $0.header("X-Listener") == "kanariHeader" && $0.path.contains("kanariQuery") })
      #expect(station.visits.contains { $0.path.contains("kanariEntry") && $0.header("Authorization") != nil })
      #expect(station.visits.contains { $0.path.contains("kanariRedirect") })
      let (peer, listener) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      listener.send(Array("radio_events\n".utf8))
      var events = ""
      try drive(peer, box, Self.address("/bare", at: station))
      for path in Self.paths {
        try visit(Self.address(path, at: station), peer)
        events += Self.waiting(at: listener.descriptor)
      }
      for words in [["status"], ["status", "--json"], ["list", "--json"], ["episodes"], ["tune", "nobody"]] {
        let outcome = try Program(["ctl", "--socket", box.socket] + words).waitForEnd()
        expectClean(outcome.outputText + outcome.errors, "ctl \(words)")
      }
      box.folder.write(Array((Self.stations(station) + "user = kanariUser\n").utf8), to: "stations.toml")
      box.program?.signal(SIGHUP)
      #expect(box.program?.waitForError("Settings and stations were read again") == true)
      let outcome = try box.switchOff()
      #expect(outcome.code == 0)
      expectClean(outcome.errors + outcome.outputText, "log")
      box.manager.discardMessages()
      expectClean(box.manager.all.joined(separator: "\n"), "STATUS=")
      #expect(box.manager.all.contains { $0.hasPrefix("STATUS=playing: http://127.0.0.1") })
      events += Self.waiting(at: listener.descriptor)
      expectClean(events, "events")
      for name in [
        "stationInfo", "httpError", "badContent", "urlNotFound", "missingContent", "itemBegan", "connecting",
      ] {
        #expect(events.contains("\"\(name)\""), "\(name) was told of")
      }
      try expectCleanFiles(records)
      try startAgain(box)
    }
  }

  /// Tests that only the box's user may read the state folder, and that no output shows its secrets after a restart,
  /// even if the files are damaged.
  private func startAgain(_ box: Box) throws {
    for name in ["state", "queue", "owner.toml"] {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(box.folder.path)/\(name)")[.posixPermissions]
      #expect((mode as? Int).map { $0 & 0o007 } == 0, "\(name)")
    }
    #expect(String(decoding: box.folder.bytes(of: "queue"), as: UTF8.self).contains("kanariQuery"))
    for isDamaged in [false, true] {
      if isDamaged {
        for name in ["state", "queue"] {
          box.folder.write(box.folder.bytes(of: name) + Array("url=http://kanari@a/?b\n".utf8), to: name)
        }
        box.folder.write(Array("[[station]]\nuser = \"kanariUser\"\n\"kanari x\" = 1\n".utf8), to: "owner.toml")
      }
      try box.start()
      #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS="))
      let peer = try ControlPeer(box.socket)
      for question in ["playlistinfo", "listplaylistinfo Presets", "radio_status", "currentsong", "radio_display"] {
        expectClean(peer.request(question)?.joined(separator: "\n"), "\(question) after a start")
      }
      let outcome = try box.switchOff()
      expectClean(outcome.errors + outcome.outputText, "log of another start")
      #expect(!isDamaged || outcome.errors.components(separatedBy: ".broken").count > 3, "\(outcome.errors)")
    }
    expectClean(box.manager.all.joined(separator: "\n"), "STATUS= after a start")
  }

  private static func waiting(at descriptor: Int32) -> String {
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  /// Content for `stations.toml`. The first station has all six secrets.
  private static func stations(_ station: ScriptedStation) -> String {
    """
    [[station]]
    name = "First"
    url = "\(address("/list", at: station))"
    headers = ["\(Canary.header)"]
    query = ["key=kanariQuery"]
    xml_meta_url = "\(address("/air", at: station))"

    [[station]]
    name = "Wrong"
    url = "http://\(Canary.user):\(Canary.password)@a b/?\(Canary.query)"
    """ + "\n"
  }

  /// Sends every command without an argument, with a station's name and with its address, and checks every screen.
  private func drive(_ peer: ControlPeer, _ box: Box, _ address: String) throws {
    #expect(peer.request("add \(address)") == [])
    let file = try #require(peer.request("playlistinfo 1")?.first?.dropFirst("file: ".count))
    #expect(file.hasPrefix("station:http://127.0.0.1") && file.hasSuffix("/bare"))
    #expect(peer.request("playlist")?.first == "0:file: station:First")
    #expect(peer.request("playlistfind file station:First")?.contains("Name: First") == true)
    #expect(peer.request("addid station:First")?.first?.hasPrefix("Id: ") == true)
    try presets(peer, address)
    let ending: Set = [
      "close", "kill", "idle", "noidle", "radio_events", "password", "command_list_begin",
      "command_list_ok_begin", "command_list_end", "clear",
    ]
    let names = try #require(peer.request("commands")).compactMap { $0.split(separator: " ").last.map { String($0) } }
    #expect(names.contains("radio_status"))
    for name in names where !ending.contains(name) {
      for argument in ["", " \(file)", " \(address)", " file \(address)", " \(address) \(address)"] {
        expectClean(peer.request(name + argument)?.joined(separator: "\n"), name + argument)
      }
    }
    expectClean(peer.request("\(address)")?.joined(), "an unknown command")
    #expect(peer.request("radio_resume") == [])
    #expect(peer.request("clear") == [] && peer.request("add station:First") == [] && peer.request("play 0") == [])
    #expect(box.manager.receives("STATUS=playing: First"))
    for action in ["mode", "menu", "select", "display", "keep", "record", "menu", "next"] {
      _ = peer.request("radio_press \(action)")
      expectClean(peer.request("radio_display")?.joined(separator: "\n"), "display after \(action)")
    }
  }

  /// Reads and changes the presets (D16).
  private func presets(_ peer: ControlPeer, _ address: String) throws {
    #expect(peer.request("radio_preset add Kept \(address)") == [])
    #expect(peer.request("radio_preset add Second station:First 1") == [])
    for question in ["listplaylist Presets", "listplaylistinfo Presets", "playlistinfo", "listplaylists", "lsinfo"] {
      expectClean(peer.request(question)?.joined(separator: "\n"), question)
    }
    let files = ["Second", "First", "Kept"].map { "file: station:\($0)" }
    #expect(peer.request("listplaylist Presets") == files)
    for change in [
      "url \"http://kanariUser:kanariPass@a b/?\(Canary.query)\"", "user kanariPass", "headers kanariHeader",
      "query kanariQuery kanari", "gain kanariPass", "xml_meta_url ftp://kanariUser:kanariPass@a/", "name \"\"",
      "kanari 1",
    ] {
      let answer = peer.request("radio_preset edit Kept \(change)")?.joined()
      #expect(answer?.hasPrefix("ACK") == true || change.hasPrefix("query"))
      // A client's own key may appear in the error.
      if change != "kanari 1" { expectClean(answer, change) }
    }
    #expect(peer.request("radio_preset remove Second") == [] && peer.request("load Kept") == [])
    #expect(peer.request("radio_preset remove Kept") == [] && peer.request("delete 2") == [])
  }

  private func visit(_ address: String, _ peer: ControlPeer) throws {
    #expect(peer.request("radio_tune \(address)") == [])
    let end = monotonicSeconds() + 5
    var isOver = false
    while !isOver, monotonicSeconds() < end {
      let status = peer.request("radio_status") ?? []
      // A station with breaking connections is audible while connecting.
      let isHeard = address.contains("/broken") && status.contains("audible: 1")
      isOver = isHeard || status.contains { $0.hasPrefix("error: ") || $0 == "state: playing" }
      expectClean(status.joined(separator: "\n"), address)
      for question in ["radio_display", "status", "currentsong", "radio_episodes", "playlistinfo"] {
        expectClean(peer.request(question)?.joined(separator: "\n"), "\(question) of \(address)")
      }
    }
    #expect(isOver, "\(address)")
    _ = peer.request("radio_press record")
    expectClean(peer.request("radio_display")?.joined(separator: "\n"), "display of \(address)")
    _ = peer.request("radio_record stop")
  }

  private func expectCleanFiles(_ folder: String) throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    #expect(files.contains { $0.hasSuffix(".cue") }, "\(files)")
    expectClean(files.joined(separator: "\n"), "files")
    for file in files where file.hasSuffix(".cue") {
      expectClean(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8), file)
    }
  }

  @Test("play, probe, stations and doctor show no secret, on a terminal or not")
  func programs() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let options = ["--user", "\(Canary.user):\(Canary.password)", "--header", Canary.header, "--query", Canary.query]
      for path in ["/list"] + Self.paths {
        let address = Self.address(path, at: station)
        let probed = try Program(["probe", "--json"] + options + [address]).waitForEnd()
        expectClean(probed.outputText + probed.errors, "probe \(path)")
        // Temporary faults are retried for 30 s.
        if path == "/503" { continue }
        let folder = TemporaryFolder()
        let record = ["--record", folder.path + "/r.mp3"]
        let play = ["play", "--output", "null", "--retry", "1", "--duration", "1"]
        let played = try Program(play + ["--events", "-"] + record + options + [address]).waitForEnd()
        expectClean(played.outputText + played.errors, "play \(path)")
        expectClean(String(decoding: folder.bytes(of: "r.cue"), as: UTF8.self), "\(path)'s cue sheet")
        expectClean(try RetryWordsTests.onTerminal(play + options + [address]), "\(path) on a terminal")
      }
      expectClean(try Program.run("probe", Self.address("/list", at: station)).outputText, "probe for people")
      let wrong = try Program(["play", "--output", "null", "--header", "kanariHeader", "http://a/"]).waitForEnd()
      expectClean(wrong.errors, "a wrong header")
      expectClean(
        try Program(["probe", "a", Self.address("/b", at: station)]).waitForEnd().errors, "one argument too many")
      try stationsAndDoctor(station)
    }
  }

  private func stationsAndDoctor(_ station: ScriptedStation) throws {
    let folder = TemporaryFolder()
    let lines = ["headers = [\"kanariHeader\"]", "user = \"kanariPass\"", "user = kanariPass", "type = \"kanariUser\""]
    for line in [""] + lines {
      let path = folder.write(Array((Self.stations(station) + line + "\n").utf8), to: "stations.toml")
      let config = folder.write(Array("[control]\nlisten = \"kanariUser\"\n".utf8), to: "bakelite.toml")
      for words in [["list"], ["list", "--json"], ["remove", "9"], ["export"], ["export", "--format", "toml"]] {
        let outcome = try Program(["stations"] + words + ["--stations", path]).waitForEnd()
        expectClean(outcome.outputText + outcome.errors, "stations \(words)")
      }
      let report = try Program(["doctor", "--json", "--config", config]).waitForEnd()
      expectClean(report.outputText + report.errors, "doctor")
      let box = try Program(["--config", config, "--output", "null"], name: "bakelited").waitForEnd()
      expectClean(box.errors, "bakelited")
    }
    let added = try Program([
      "stations", "add", "X", "http://kanariUser:kanariPass@a b/", "--stations", folder.path + "/x",
    ])
    expectClean(try added.waitForEnd().errors, "stations add")
  }
}
