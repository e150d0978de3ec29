import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct PlaylistTests {
  private static let m3u = "audio/x-mpegurl"
  private static let pls = "audio/x-scpls"

  @Test("A nested playlist leads to the station and its name (R1.3)")
  func chain() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation(paths: [
        "/a": StationAction.response("200 OK", "#EXTM3U\n#EXTINF:-1,Radio One\nsub/b.pls\n", type: "text/plain"),
        "/sub/b.pls": StationAction.response("200 OK", "[playlist]\r\nfile1=../live\r\n", type: Self.pls),
        "/live": [.head("200 OK", ["Content-Type: audio/mpeg"]), .send(clip.bytes)],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/a")) { $0.retry = .times(0) }
      #expect(rig.playOut())
      #expect(station.visits.map(\.path) == ["/a", "/sub/b.pls", "/live"])
      guard case .playing(let name, _, _) = rig.next("playing") else {
        Issue.record("nothing plays")
        return
      }
      #expect(name == "Radio One")
      #expect(rig.radio.status.list == nil, "the addresses of a station are no episodes")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("The name of a station has the encoding of its list's header", arguments: ["; charset=windows-1251", ""])
  func sentEncoding(charset: String) async throws {
    try await Stage.run {
      let list = Array("#EXTM3U\n#EXTINF:-1,".utf8) + [0xCA, 0xE8] + Array("\n/live\n".utf8)
      let station = try ScriptedStation(paths: [
        "/list.m3u": [.head("200 OK", ["Content-Type: " + Self.m3u + charset]), .send(list)],
        "/live": [.head("200 OK", ["Content-Type: audio/mpeg"]), .send(Clip.mp3(2).bytes), .stall],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      guard case .playing(let name, _, _) = rig.next("playing") else {
        Issue.record("nothing plays")
        return
      }
      #expect(name == (charset.isEmpty ? "Êè" : "Ки"))
    }
  }

  @Test(
    "A dead entry is skipped", arguments: ["404 Not Found", "503 Service Unavailable", "HTML", "closed"])
  func deadEntry(kind: String) async throws {
    try await Stage.run {
      let dead: [StationAction] =
        switch kind {
        case "HTML": StationAction.response("200 OK", "<html><body>gone</body></html>", type: "text/html")
        case "closed": []
        default: StationAction.response(kind)
        }
      let station = try ScriptedStation(paths: [
        "/list.m3u": StationAction.response("200 OK", "/dead\n/live\n", type: Self.m3u), "/dead": dead,
        "/live": [.live(), .send(Clip.mp3(2).bytes), .stall],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.next("playing", within: 5) != nil)
      #expect(station.visits.map(\.path) == ["/list.m3u", "/dead", "/live"])
      #expect(!rig.names.contains("reconnecting"))
    }
  }

  @Test(
    "A list of silent addresses ends in time, and a short list is tried completely",
    arguments: [(60, false), (12, true)])
  func silentEntries(count: Int, isPlayed: Bool) async throws {
    try await Stage.run(speed: 8) {
      let list = (0..<count).map { "/silent\($0)\n" }.joined() + "/good\n"
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/": StationAction.response("200 OK", list, type: "audio/x-mpegurl")
        case "/good": StationAction.onAir(.mp3(20))
        default: [.stall]
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      // Timeouts of all 60 entries would take five minutes.
      bench.tune(station.url("/")) { $0.dataTimeout = Duration(milliseconds: 5_000) }
      let isOver = bench.run(130) {
        bench.notices.contains {
          switch $0.notice {
          case .connected, .fault(_, isFinal: true): true
          default: false
          }
        }
      }
      #expect(isOver, "\(station.visits.count) visits")
      #expect((station.visits.last?.path == "/good") == isPlayed)
    }
  }

  @Test(
    "A station that has played is found again past dead entries, and without its list",
    arguments: ["first entry", "six entries", "list"])
  func foundAgain(dead: String) async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.mp3(2)
      let others = (0..<(dead == "six entries" ? 6 : dead == "list" ? 0 : 1)).map { "/dead\($0)\n" }.joined()
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/live": [.live(), .send(clip.bytes)]
        case "/list" where visit.number == 0 || dead != "list":
          StationAction.response("200 OK", others + "/live\n", type: Self.m3u)
        default: StationAction.response("404 Not Found")
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list"))
      #expect(rig.run(200) { station.visits.count { $0.path == "/live" } > 9 }, "\(station.visits.map(\.path))")
      #expect(station.visits.count { $0.path == "/list" } > 1)
    }
  }

  @Test("Entries into other networks or service ports are refused, and others tried")
  func foreignNetworks() async throws {
    try await Stage.run {
      let list = [
        "http://10.255.255.1:8000/a", "http://169.254.169.254/b", "http://[fd00::1]/c", "http://192.168.255.1/d",
        "http://127.0.0.1:25/e", "http://127.0.0.1:6/f", "/live",
      ]
      let station = try ScriptedStation(paths: [
        "/list.m3u": StationAction.response("200 OK", list.joined(separator: "\n"), type: Self.m3u),
        "/live": [.live(), .send(Clip.mp3(2).bytes), .stall],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.next("playing", within: 5) != nil, "\(rig.names)")
      #expect(station.visits.map(\.path) == ["/list.m3u", "/live"])
      let messages = rig.events("urlNotFound").map { if case .urlNotFound(_, let message) = $0 { message } else { "" } }
      #expect(messages.count == 6 && messages.allSatisfy { $0.contains("enter") }, "\(messages)")
      #expect(messages[0].contains("a private address") && messages[4].contains("port 25"))
    }
  }

  @Test("Circular playlists are detected and reported")
  func circle() async throws {
    try await Stage.run {
      let station = try ScriptedStation(paths: [
        "/a.m3u": StationAction.response("200 OK", "#EXTM3U\n/b.m3u\n/a.m3u\n", type: Self.m3u),
        "/b.m3u": StationAction.response("200 OK", "#EXTM3U\n/a.m3u\n/b.m3u\n", type: Self.m3u),
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/a.m3u"))
      #expect(rig.playOut(within: 5))
      #expect(rig.names.contains("urlNotFound"))
      #expect(rig.events.last?.event == .stopped(.error))
      #expect(station.visits.count == 2)
    }
  }

  @Test("Playlists are opened five levels deep")
  func tooDeep() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        StationAction.response("200 OK", "#EXTM3U\n\(visit.path)x\n", type: Self.m3u)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/"))
      #expect(rig.playOut(within: 5))
      #expect(rig.names.contains("urlNotFound"))
      #expect(station.visits.count == 6)
    }
  }

  @Test("Endless lists of lists are given up after 32 (R1.3)")
  func listsWithoutEnd() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        StationAction.response("200 OK", ["a", "b", "c"].map { "\(visit.path)\($0)\n" }.joined(), type: Self.m3u)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/"))
      #expect(rig.playOut(within: 20))
      #expect(rig.names.suffix(2) == ["urlNotFound", "stopped"], "\(rig.names)")
      #expect(rig.radio.failure?.detail == .error(.onlyLists))
      // The last request returns a list, too.
      #expect(station.visits.count == 33)
    }
  }

  @Test("Slow lists are given up after 30 s in total")
  func slowLists() async throws {
    try await Stage.run(speed: 8) {
      let station = try ScriptedStation { visit in
        let names = ["a", "b", "c"].map { "\(visit.path)\($0)\n" }.joined()
        return [.head("200 OK", ["Content-Type: \(Self.m3u)"]), .text("#EXTM3U\n"), .wait(4), .text(names)]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/"))
      #expect(rig.playOut(within: 90))
      #expect(rig.names.suffix(2) == ["urlNotFound", "stopped"], "\(rig.names)")
      #expect(station.visits.count <= 8)
    }
  }

  @Test("A failing station is retried even if its lists may not be opened again")
  func unwellBehindLists() async throws {
    try await Stage.run(speed: 8) {
      let station = try ScriptedStation(paths: [
        "/a": StationAction.response("200 OK", "/b\n", type: Self.m3u),
        "/b": StationAction.response("200 OK", "/c\n", type: Self.m3u),
        "/c": StationAction.response("200 OK", "/live\n", type: Self.m3u), "/live": StationAction.response("503 Sorry"),
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/a"))
      #expect(rig.playOut(within: 60))
      let tries = station.visits.count { $0.path == "/live" }
      #expect(station.visits.count - tries <= 32 && tries > 11, "\(station.visits.map(\.path))")
      #expect(rig.radio.failure?.category == .httpError)
    }
  }

  @Test("A station that has played is retried for ever, with few lists per attempt")
  func becomesLists() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(12)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live(), .send(clip.bytes)]
          : StationAction.response("200 OK", ["a", "b", "c"].map { "\(visit.path)\($0)\n" }.joined(), type: Self.m3u)
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/"))
      #expect(rig.run(60) { station.visits.count > 33 })
      let (begin, count) = (monotonicSeconds(), station.visits.count)
      rig.run(for: 20)
      #expect(rig.radio.state != .stopped && rig.names.contains("urlNotFound"), "\(rig.names)")
      let rate = Double(station.visits.count - count) / (monotonicSeconds() - begin)
      #expect(rate < 4 && station.visits.count > count)
    }
  }

  @Test("A station that has played returns, whatever its lists did meanwhile", arguments: ["slow", "endless"])
  func listsAfterPlaying(kind: String) async throws {
    try await Stage.run(speed: 8) {
      let (clip, isWell) = (Clip.long(12), Gate())
      let station = try ScriptedStation { visit in
        let sound: [StationAction] = [.live(), .send(clip.bytes), .stall]
        switch (visit.path, visit.number) {
        case ("/list", 0): return StationAction.response("200 OK", "/old\n", type: Self.m3u)
        case ("/old", 1): return [.live(), .send(clip.bytes)]
        case ("/old", _): return kind == "endless" && isWell.isOpen ? sound : StationAction.response("503 Sorry")
        case ("/new", _): return sound
        case (_, _) where kind == "slow":
          return [.wait(6)] + StationAction.response("200 OK", isWell.isOpen ? "/new\n" : "#EXTM3U\n", type: Self.m3u)
        default:
          return StationAction.response(
            "200 OK", ["a", "b", "c"].map { "\(visit.path)\($0)\n" }.joined(), type: Self.m3u)
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/list"))
      let most = kind == "slow" ? 14 : 40
      #expect(rig.run(120) { station.visits.count > most })
      isWell.open()
      #expect(rig.run(60) { rig.radio.status.attempt == 0 }, "\(station.visits.map(\.path))")
    }
  }

  @Test("A short list that arrives in parts over seconds is opened when complete")
  func slowParts() async throws {
    try await Stage.run(speed: 8) {
      let comment = "#" + String(repeating: "a", count: 190) + "\n"
      let station = try ScriptedStation(paths: [
        "/list": [
          .head("200 OK", ["Content-Type: \(Self.m3u)"]), .text("#EXTM3U\n" + comment), .wait(5.5), .text(comment),
          .wait(5.5), .text(comment + "/live\n"),
        ],
        "/live": [.live(), .send(Clip.mp3(2).bytes), .stall],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list"))
      #expect(rig.next("playing", within: 40) != nil, "\(rig.names)")
      #expect(station.visits.map(\.path) == ["/list", "/live"])
    }
  }

  @Test(
    "An empty playlist, or one of unknown schemes, is not a station",
    arguments: ["[playlist]\nNumberOfEntries=0\n", "#EXTM3U\n", "#EXTM3U\nrtsp://127.0.0.1/x\nfile:///etc/passwd\n"])
  func nothingInIt(text: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response("200 OK", text, type: Self.m3u))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/x"))
      #expect(rig.playOut(within: 5))
      #expect(rig.names == ["connecting", "urlNotFound", "stopped"])
    }
  }

  @Test("The kind of an address can be set (R1.4)")
  func forcedType() async throws {
    try await Stage.run {
      let station = try ScriptedStation(paths: [
        "/x": StationAction.response("200 OK", "/live", type: "audio/mpeg"),
        "/live": [.live(), .send(Clip.mp3(2).bytes), .stall],
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/x")) { $0.addressKind = .playlist(.m3u) }
      #expect(rig.next("playing", within: 5) != nil)
    }
  }

  @Test("The total size of a list's addresses is limited, whatever the list's own address (R1.3)")
  func longAddresses() async throws {
    try await Stage.run {
      // 4 KB of text become an address of 12 KB.
      let path = "/" + String(repeating: "\u{E9}", count: 2_010) + "/x.m3u"
      let lines = (0..<1_000).map { "a\($0).mp3" }.joined(separator: "\n")
      let station = try ScriptedStation { visit in
        if visit.path == "/list.m3u" { return StationAction.response("200 OK", path, type: Self.m3u) }
        if visit.path.hasSuffix("/x.m3u") { return StationAction.response("200 OK", lines, type: Self.m3u) }
        return StationAction.response("404 Not Found")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/list.m3u"))
      let opened: [FileList.Item]? = bench.next {
        if case .listed(let list) = $0, list.items.count > 1 { list.items } else { nil }
      }
      let items = opened ?? []
      #expect(items.count > 20 && items.first?.url.unredacted.hasSuffix("/a0.mp3") == true)
      #expect(items.reduce(0) { $0 + $1.url.byteCount } <= 512 << 10)
    }
  }
}
