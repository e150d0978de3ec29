import Foundation
import Framing
import Network
import RadioEngine
import RadioSupport
import System
import TestSupport
import Testing
import Units

@Suite struct NowPlayingHostileTests {
  private static let base = CalendarDay(2026, 1, 5).seconds + 15 * 3_600

  private static func song(_ title: [UInt8], _ head: String = "") -> [UInt8] {
    Array((head + "<list><audio><title>").utf8) + title + Array("</title><artist>B</artist></audio></list>".utf8)
  }

  static let feeds: [(name: String, body: [UInt8], encoding: String?, title: String?)] = [
    ("bare ampersands", song(Array("Simon & Garfunkel".utf8)), nil, "B - Simon & Garfunkel"),
    ("an end that is missing", Array("<l><e><title>A</title></e><e><title>C".utf8), nil, "A"),
    ("no XML", Array("{\"title\": \"A\"}".utf8), nil, nil),
    ("a page of a portal", Array("<html><head><title>Log in</title></head></html>".utf8), nil, nil),
    ("Latin-1 that says UTF-8", song([0x43, 0xE9], "<?xml version='1.0' encoding='UTF-8'?>"), nil, "B - Cé"),
    ("windows-1251 as it says", song([0xC6, 0xE0], "<?xml version='1.0' encoding='windows-1251'?>"), nil, "B - Жа"),
    ("windows-1251 by the settings", song([0xC6, 0xE0]), "windows-1251", "B - Жа"),
    ("UTF-8 as it says, whatever the settings", song(Array("Ж".utf8), "<?xml encoding='UTF-8'?>"), "koi8-r", "B - Ж"),
    ("an encoding that nobody knows", song(Array("A".utf8), "<?xml encoding='klingon'?>"), nil, "B - A"),
    ("one that is never used", song(Array("A".utf8), "<?xml encoding='ISO-2022-CN-EXT'?>"), nil, "B - A"),
    ("controls and directions", song(Array("A\u{1B}[31m\u{202E}B".utf8)), nil, "B - A[31mB"),
    (
      "billion laughs",
      Array("<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>".utf8) + song(Array("A&b;".utf8)), nil, "B - A&b;"
    ),
    ("more than 1 MiB", song([UInt8](repeating: 0x41, count: 1 << 21)), nil, nil),
  ]

  @Test("Only readable titles are emitted", arguments: feeds)
  func feed(_ feed: (name: String, body: [UInt8], encoding: String?, title: String?)) async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: Self.base, [])
      let station = try script.station(feed: { _ in
        [.head("200 OK", ["Content-Type: text/xml"]), .send(feed.body)]
      })
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) {
        ($0.externalMetadata.xmlURL, $0.metadataEncoding) = (StationAddress(station.url("/feed.xml")), feed.encoding)
      }
      #expect(rig.run(60) { station.visits.contains { $0.path == "/feed.xml" } })
      #expect(feed.title == nil || rig.next("metadataReceived") != nil)
      rig.run(for: feed.body.count > 100_000 ? 12 : 3)
      #expect(script.titles(rig, "metadataReceived") == (feed.title.map { [$0] } ?? []))
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0))
    }
  }

  @Test("A feed without an end time is polled every 15 s", arguments: [feeds[0], feeds[2]])
  func pace(_ feed: (name: String, body: [UInt8], encoding: String?, title: String?)) async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: Self.base, [])
      let station = try script.station(feed: { _ in [.head("200 OK", ["Content-Type: text/xml"]), .send(feed.body)] })
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.externalMetadata.xmlURL = StationAddress(station.url("/feed.xml")) }
      #expect(rig.run(60) { station.visits.count { $0.path == "/feed.xml" } == 2 })
      let times = station.visits.filter { $0.path == "/feed.xml" }.map(\.time)
      try #require(times.count > 1)
      #expect((14.5...25).contains(times[1] - times[0]))
      _ = rig.radio.close()
    }
  }

  @Test(
    "A failing feed is polled less and less often, and playback continues",
    arguments: ["refuses", "is silent", "drips", "floods", "redirects for ever", "resets", "is packed", "is nowhere"])
  func failing(_ kind: String) async throws {
    // Reading a flood takes real time.
    try await Stage.run(speed: kind == "floods" ? 2 : 8) {
      let punctuality = Punctuality()
      let script = NowPlayingScript(base: Self.base, [])
      let station = try script.station(feed: { _ in
        let xml = StationAction.head("200 OK", ["Content-Type: text/xml"])
        switch kind {
        case "refuses": return StationAction.response("503 Service Unavailable")
        case "is silent": return [.stall]
        case "drips": return [xml, .pace([UInt8](repeating: 0x3C, count: 4_000), perSecond: 20, burst: 0)]
        case "floods": return [xml, .send([UInt8](repeating: 0x3C, count: 5 << 20))]
        case "redirects for ever": return StationAction.redirect("/feed.xml")
        case "resets": return [xml, .text("<l><e><title>A"), .reset]
        default: return StationAction.response("200 OK", "<l/>", headers: ["Content-Encoding: gzip"])
        }
      })
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      let url = kind == "is nowhere" ? "http://127.0.0.1:1/feed.xml" : station.url("/feed.xml")
      rig.tune(station.url()) { $0.externalMetadata.xmlURL = StationAddress(url) }
      try #require(rig.next("playing") != nil)
      rig.run(for: 52)
      #expect(rig.radio.state == .playing && rig.events("metadataReceived").isEmpty)
      // The fast clock makes timeouts of three seconds short.
      #expect(punctuality.holdsUnlessLate(rig.events("reconnecting").isEmpty))
      // At 1, 16 and 46 s; a request that times out takes ten seconds more.
      let times = station.visits.filter { $0.path == "/feed.xml" }.map(\.time)
      let looks = times.indices.filter { $0 == 0 || times[$0] - times[$0 - 1] > 5 }
      #expect(kind == "is nowhere" || (2...3).contains(looks.count), "\(times)")
      // Each poll follows up to ten redirects.
      #expect(times.count <= looks.count * (kind == "redirects for ever" ? 11 : 1), "\(times)")
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0))
    }
  }

  @Test("2.2: Live365 titles arrive, also after empty entries and broken responses (R6.4, R12)")
  func live365() async throws {
    try await Stage.run(speed: 4) {
      let script = NowPlayingScript(base: Self.base, [])
      func entry(_ title: String, _ artist: String) -> String {
        """
        <PlaylistEntry><Title>\(title)</Title><Artist>\(artist)</Artist><Album></Album><ECommerceURL>\
        http://shop.example/1\
        </ECommerceURL><FileName></FileName><trackType>1</trackType><desc/><clickThruURL/><visualURL/><Seconds>211\
        </Seconds></PlaylistEntry>
        """
      }
      let answers = [
        "<Playlist><Refresh>6</Refresh>\(entry("", ""))\(entry("Old", "X"))</Playlist>",
        "<Playlist><Refresh>6</Refresh>\(entry("One &amp; Two", "Three"))\(entry("Old", "X"))</Playlist>",
        "<Playlist><Refresh>6</Refresh><PlaylistEntry><Title>Bro",
        "<Playlist><Refresh/>\(entry("Four", "Five"))</Playlist>",
      ]
      let count = Locked(0)
      let station = try script.station(feed: { _ in
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        return StationAction.response("200 OK", answers[min(number, 3)], type: "text/xml")
      })
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.externalMetadata.live365URL = StationAddress(station.url("/cgi-bin/api_playlist")) }
      #expect(rig.run(90) { rig.events("metadataChanged").count == 2 })
      #expect(script.titles(rig, "metadataChanged") == ["Three - One & Two", "Five - Four"])
      #expect(rig.radio.status.title == rig.lastTitle && rig.radio.status.title?.url == "http://shop.example/1")
      let times = station.visits.filter { $0.path != "/live" }.map(\.time)
      try #require(times.count > 2)
      #expect(abs(times[1] - times[0] - 6) < 1.5 && abs(times[2] - times[1] - 6) < 1.5)
      rig.run(for: 20)
      #expect(count.withLock { $0 } == times.count, "a minute where no Refresh is told")
    }
  }
}

extension RadioRig {
  fileprivate var lastTitle: Title? {
    guard case .metadataChanged(let title, _)? = events("metadataChanged").last else { return nil }
    return title
  }
}
