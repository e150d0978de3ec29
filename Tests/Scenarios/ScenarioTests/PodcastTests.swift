import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A podcast plays its episodes in order, each from its last position (E1 … E5).
@Suite struct PodcastTests {
  private static let clips = [Clip.mp3(4), Clip(ToneMp3.frames(160, seed: 81)), Clip.aac(3)]

  private static func feed(_ episodes: [String], type: String = "episodic") -> String {
    let items = episodes.enumerated().map { number, path in
      """
      <item><title>Part &amp; parcel \(number + 1)</title><guid>id-\(number + 1)</guid>
      <pubDate>Fri, \(20 - number) Nov 2026 06:00:00 +0100</pubDate><itunes:duration>0:04</itunes:duration>
      <enclosure url="\(path)" length="1" type="audio/mpeg"/></item>
      """
    }
    return """
      <?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <title>Kitchen Talk</title><itunes:type>\(type)</itunes:type>\(items.joined())</channel></rss>
      """
  }

  private static func host(_ feed: String) throws -> ScriptedStation {
    try ScriptedStation { visit in
      if visit.path == "/talk/feed.xml" { return StationAction.response("200 OK", feed, type: "application/rss+xml") }
      let number = Int(visit.path.dropFirst(6).prefix(1)) ?? 0
      guard clips.indices.contains(number - 1) else { return StationAction.response("404 Not Found") }
      return FileServer(clips[number - 1].bytes).actions(for: visit)
    }
  }

  @Test("Episodes play in the feed's order, and a missing one is skipped (E1)")
  func wholePodcast() async throws {
    try await Stage.run {
      let station = try Self.host(Self.feed(["1.mp3", "9.mp3", "/talk/2.mp3", "3.mp3"]))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/talk/feed.xml"))
      #expect(rig.playOut())
      let list = try #require(rig.radio.list)
      #expect(list.title == "Kitchen Talk" && list.isFeed && list.items.map(\.identifier) == (1...4).map { "id-\($0)" })
      try #require(list.items.count == 4)
      #expect(list.items[0].title == "Part & parcel 1" && list.items[0].seconds == 4)
      #expect(list.items[0].date == 1_795_150_800 && list.items[2].url.unredacted == station.url("/talk/2.mp3"))
      let begun = rig.events("itemBegan").map {
        if case .itemBegan(let index, 4, let title, _) = $0 { "\(index) \(title ?? "")" } else { "" }
      }
      #expect(begun == [1, 3, 4].map { "\($0) Part & parcel \($0)" })
      #expect(rig.events("fileComplete").count == 3 && rig.names.suffix(2) == ["fileComplete", "stopped"])
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Self.clips.flatMap { $0.pcm() }) == nil)
    }
  }

  @Test("The caller chooses episode and start; a story starts with its first part")
  func chosen() async throws {
    try await Stage.run {
      let station = try Self.host(Self.feed(["1.mp3", "2.mp3", "3.mp3"], type: "serial"))
      defer { station.close() }
      let rig = try RadioRig()
      var offered: [String] = []
      rig.radio.chooseItem = { list in
        offered = list.items.map(\.identifier)
        return 1
      }
      rig.radio.startOfItem = { $0.identifier == "id-2" ? 2 : 0 }
      rig.tune(station.url("/talk/feed.xml"))
      #expect(rig.playOut())
      #expect(offered == ["id-3", "id-2", "id-1"])
      _ = rig.radio.close()
      let second = Array(Self.clips[1].pcm().dropFirst(2 * 176_400))
      #expect(difference(rig.pcm, second + Self.clips[0].pcm()) == nil)
      #expect(station.visits.map(\.path).filter { $0.hasSuffix("1.mp3") || $0.hasSuffix("3.mp3") } == ["/talk/1.mp3"])
    }
  }

  @Test(
    "A feed whose episode is a feed ends",
    arguments: ["itself", "by a redirect", "by another feed", "by a list", "many times"])
  func feedInFeed(kind: String) async throws {
    try await Stage.run {
      let episodes =
        switch kind {
        case "itself": ["feed.xml"]
        case "by a list": ["list.m3u"]
        case "many times": (0..<100).map { "feed.xml?\($0)" }
        default: ["other.xml"]
        }
      let feed = Self.feed(episodes)
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/talk/other.xml" where kind == "by a redirect": StationAction.redirect("/talk/feed.xml")
        case "/talk/other.xml": StationAction.response("200 OK", Self.feed(["feed.xml"]), type: "application/rss+xml")
        case "/talk/list.m3u": StationAction.response("200 OK", "feed.xml\n", type: "audio/x-mpegurl")
        default: StationAction.response("200 OK", feed, type: "application/rss+xml")
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/talk/feed.xml"))
      #expect(rig.playOut(within: 20), "\(station.visits.count) requests")
      #expect(station.visits.count <= (kind == "many times" ? 101 : 3), "\(station.visits.map(\.path))")
      #expect(rig.events.last?.event == .stopped(.error))
    }
  }

  @Test(
    "A feed without playable episodes reports that",
    arguments: [
      "<rss><channel><title>Nothing</title></channel></rss>",
      "<rss><channel><item><enclosure url='ftp://x/1.mp3' type='audio/mpeg'/></item></channel></rss>",
    ])
  func empty(feed: String) async throws {
    try await Stage.run {
      let station = try Self.host(feed)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/talk/feed.xml"))
      #expect(rig.playOut())
      guard case .urlNotFound(_, let message) = rig.next("urlNotFound") else {
        Issue.record("\(rig.names)")
        return
      }
      #expect(message.contains("no playable episode"))
    }
  }

  @Test(
    "A pause while a feed opens, or an episode is skipped, lasts until resumed (E1)",
    arguments: ["feed", "episode"], [false, true])
  func pausedBefore(place: String, isSuspended: Bool) async throws {
    try await Stage.run {
      let isPaused = Gate()
      let feed = Self.feed(["9.mp3", "2.mp3"])
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/talk/feed.xml":
          (place == "feed" ? [.gate(isPaused)] : [])
            + StationAction.response("200 OK", feed, type: "application/rss+xml")
        case "/talk/2.mp3": FileServer(Self.clips[1].bytes).actions(for: visit)
        default: (place == "feed" ? [] : [.gate(isPaused)]) + StationAction.response("404 Not Found")
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/talk/feed.xml"))
      #expect(rig.run { station.visits.count == (place == "feed" ? 1 : 2) && rig.names.contains("connecting") })
      rig.radio.pause()
      if isSuspended {
        rig.radio.suspend()
        #expect(rig.next("suspended") != nil)
      }
      isPaused.open()
      #expect(rig.next("itemBegan") != nil)
      if isSuspended { rig.radio.endSuspension() }
      rig.run(for: 1)
      #expect(rig.radio.state == .paused && rig.pcmCount == 0)
      #expect(rig.events("paused") == [.paused(.user)])
      rig.radio.play()
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Self.clips[1].pcm()) == nil)
    }
  }
}
