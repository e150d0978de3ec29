import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Requests to stations (R1.7, R1.8).
@Suite struct RequestTests {
  private static let basic = "Basic " + Data("anna:se:cret".utf8).base64EncodedString()

  @Test("Credentials go to the given address and its playlist's stream, never along a redirect (R1.8)")
  func credentials() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let stream = try ScriptedStation(StationAction.onAir(clip))
      let list = try ScriptedStation(
        StationAction.response("200 OK", stream.url("/live") + "\n", type: "audio/x-mpegurl"))
      let detour = try ScriptedStation(StationAction.redirect(stream.url("/moved", host: "localhost")))
      defer { for station in [stream, list, detour] { station.close() } }
      let rig = try RadioRig()
      let credentials = Credentials(name: "anna", password: "se:cret")
      rig.tune(list.url("/x.m3u")) { $0.credentials = credentials }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(list.visits.first?.header("Authorization") == Self.basic)
      #expect(stream.visits.first?.header("Authorization") == Self.basic)
      rig.tune(detour.url()) { $0.credentials = credentials }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(detour.visits.first?.header("Authorization") == Self.basic)
      #expect(stream.visits.last?.path == "/moved")
      #expect(stream.visits.last?.header("Authorization") == nil)
      rig.tune(stream.url("/own").replacingOccurrences(of: "//", with: "//anna:se%3Acret@"))
      #expect(rig.next("playing", within: 5) != nil)
      #expect(stream.visits.last?.header("Authorization") == Self.basic)
      _ = rig.radio.close()
      #expect(!rig.events.contains { $0.event.json(at: 0).contains("cret") })
    }
  }

  @Test("User agent, headers and query go with the playlist and with the stream (R1.7)")
  func identity() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? StationAction.response("200 OK", "#EXTM3U\n/live?a=1\n", type: "audio/x-mpegurl")
          : StationAction.onAir(clip)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/x")) {
        $0.userAgent = "Kitchen/1"
        $0.headers = ["X-Room: kitchen"]
        $0.query = ["key=a b&c"]
      }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(station.visits.map(\.path) == ["/x?key=a%20b%26c", "/live?a=1&key=a%20b%26c"])
      for visit in station.visits {
        #expect(visit.header("User-Agent") == "Kitchen/1")
        #expect(visit.header("X-Room") == "kitchen")
        #expect(visit.header("Icy-MetaData") == "1")
        #expect(visit.header("Accept-Encoding") == nil)
      }
    }
  }

  @Test("Options in the addresses of a list are translated, never sent in the address")
  func optionsInAList() async throws {
    try await Stage.run {
      let list = """
        #EXTM3U
        #EXTINF:-1,Dead
        /dead|User-Agent=Dead/1
        #EXTVLCOPT:http-user-agent=VLC/3
        #EXTINF:-1,Jazz
        /live?a=1|Referer=http%3A%2F%2Fx.example%2F&Cookie=geheim
        """
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/x": StationAction.response("200 OK", list, type: "audio/x-mpegurl")
        case "/dead": StationAction.response("404 Not Found")
        default: StationAction.onAir(Clip.mp3(2))
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/x")) { $0.userAgent = "Kitchen/1" }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(station.visits.map(\.path) == ["/x", "/dead", "/live?a=1"])
      #expect(station.visits.map { $0.header("User-Agent") } == ["Kitchen/1", "Dead/1", "VLC/3"])
      #expect(station.visits.last?.header("Referer") == "http://x.example/")
      #expect(station.visits.last?.header("Cookie") == nil)
    }
  }

  @Test("Headers in an address are not sent to another host that its list names")
  func optionsAndAnotherHost() async throws {
    try await Stage.run {
      let other = try ScriptedStation(StationAction.onAir(Clip.mp3(2)))
      defer { other.close() }
      let list = "#EXTM3U\n\(other.url("/live").replacing("127.0.0.1", with: "localhost"))\n"
      let station = try ScriptedStation { _ in StationAction.response("200 OK", list, type: "audio/x-mpegurl") }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/x") + "|User-Agent=Kodi/1&Referer=http%3A%2F%2Fx.example%2F%3Fkey%3Dgeheim")
      #expect(rig.next("playing", within: 5) != nil)
      #expect(station.visits.first?.header("Referer") == "http://x.example/?key=geheim")
      #expect(other.visits.first?.header("User-Agent") == "Kodi/1" && other.visits.first?.header("Referer") == nil)
    }
  }

  @Test("Agent and data timeout change during playback: with the next connection, and at once")
  func adjusted() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(2)))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) {
        $0.userAgent = "Kitchen/1"
        $0.dataTimeout = Duration(seconds: 3_600)
      }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(rig.radio.adjust(userAgent: "Kitchen/2"))
      #expect(rig.run(20) { station.visits.count > 1 })
      #expect(station.visits.prefix(2).map { $0.header("User-Agent") } == ["Kitchen/1", "Kitchen/2"])
      rig.tune(station.url()) {
        $0.retry = .times(0)
        $0.dataTimeout = Duration(seconds: 3_600)
      }
      #expect(rig.next("playing", within: 5) != nil)
      #expect(rig.radio.adjust(dataTimeout: Duration(seconds: 1)))
      #expect(rig.playOut(within: 20))
      #expect(rig.names.contains("timeoutExceeded") && rig.radio.failure != nil)
    }
  }

  @Test(
    "Credentials go to no host that another list names (R1.8)",
    arguments: ["redirected list", "nested list", "feed"])
  func foreignLists(kind: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let stream = try ScriptedStation { FileServer(clip.bytes).actions(for: $0) }
      let list = "#EXTM3U\n\(stream.url("/live.mp3", host: "localhost"))\n"
      let feed =
        "<rss><channel><item><enclosure url='\(stream.url("/1.mp3"))' type='audio/mpeg'/></item></channel></rss>"
      let foreign = try ScriptedStation(StationAction.response("200 OK", list, type: "audio/x-mpegurl"))
      let own = try ScriptedStation { visit in
        switch kind {
        case "redirected list": StationAction.redirect(foreign.url("/moved.m3u", host: "localhost"))
        case "nested list": StationAction.response("200 OK", foreign.url("/nested.m3u") + "\n", type: "audio/x-mpegurl")
        default: StationAction.response("200 OK", feed, type: "application/rss+xml")
        }
      }
      defer { for station in [stream, foreign, own] { station.close() } }
      let rig = try RadioRig()
      rig.tune(own.url("/x?own=1")) {
        $0.credentials = Credentials(name: "anna", password: "se:cret")
        ($0.headers, $0.query) = (["X-Key: se:cret"], ["token=se:cret"])
      }
      #expect(rig.next("playing", within: 5) != nil, "\(rig.names)")
      let all = own.visits.first
      #expect(all?.header("Authorization") == Self.basic && all?.header("X-Key") == "se:cret")
      #expect(all?.path == "/x?own=1&token=se%3Acret")
      let visits = stream.visits + (kind == "redirected list" ? foreign.visits : [])
      #expect(!visits.isEmpty)
      for visit in visits {
        #expect(visit.header("Authorization") == nil && visit.header("X-Key") == nil, "\(visit.path)")
        #expect(!visit.path.contains("token"), "\(visit.path)")
      }
    }
  }

  @Test("A podcast's episodes on its own host get the feed's credentials")
  func ownEpisodes() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let feed = "<rss><channel><item><enclosure url='/1.mp3' type='audio/mpeg'/></item></channel></rss>"
      let own = try ScriptedStation { visit in
        visit.path.hasPrefix("/feed")
          ? StationAction.response("200 OK", feed, type: "application/rss+xml")
          : FileServer(clip.bytes).actions(for: visit)
      }
      defer { own.close() }
      let rig = try RadioRig()
      rig.tune(own.url("/feed")) {
        $0.credentials = Credentials(name: "anna", password: "se:cret")
        ($0.headers, $0.query) = (["X-Key: se:cret"], ["token=se:cret"])
      }
      #expect(rig.next("playing", within: 5) != nil, "\(rig.names)")
      let episode = own.visits.first { $0.path.hasPrefix("/1.mp3") }
      #expect(episode?.header("Authorization") == Self.basic && episode?.header("X-Key") == "se:cret")
      #expect(episode?.path == "/1.mp3?token=se%3Acret")
    }
  }

  @Test("20 redirects are followed, and no more (R1.11)", arguments: [20, 21])
  func redirects(count: Int) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.number < count ? StationAction.redirect("/\(visit.number)") : [.live(), .send(Clip.mp3(2).bytes), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/start"))
      #expect((rig.next("playing", within: 3) != nil) == (count == 20))
      if count == 21 { #expect(rig.names == ["connecting", "urlNotFound", "stopped"]) }
    }
  }

  @Test(
    "Titles use the encoding of the station's settings, or of its address (R6.2)", arguments: ["", "windows-1251"])
  func encoding(inAddress: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      // "StreamTitle='" and three letters in windows-1251.
      let text = Array("StreamTitle='".utf8) + [0xCC, 0xE8, 0xF0] + Array("';".utf8)
      let block = [UInt8(2)] + text + [UInt8](repeating: 0, count: 32 - text.count)
      let mixed = clip.bytes.prefix(4_000) + block + clip.bytes.dropFirst(4_000).prefix(4_000) + [0]
      let station = try ScriptedStation([.live("icy-metaint: 4000"), .send(Array(mixed)), .stall])
      defer { station.close() }
      let rig = try RadioRig()
      if inAddress.isEmpty {
        rig.tune(station.url()) { $0.metadataEncoding = "windows-1251" }
      } else {
        rig.tune(station.url() + "#charset=\(inAddress)")
      }
      guard case .metadataReceived(let title) = rig.next("metadataReceived", within: 5) else {
        Issue.record("no title came")
        return
      }
      #expect(title.text == "\u{41C}\u{438}\u{440}")
    }
  }

  @Test("A wrong password is distinguished from a missing one", arguments: [true, false])
  func password(isGiven: Bool) async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response("401 Unauthorized"))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.credentials = isGiven ? Credentials(name: "anna", password: "geheim") : nil }
      #expect(rig.playOut(within: 5))
      #expect(rig.radio.failure?.detail == .refused(hasCredentials: isGiven))
    }
  }
}
