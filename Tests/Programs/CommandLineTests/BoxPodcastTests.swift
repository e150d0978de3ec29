import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// A podcast among the presets of the box (E1, E5).
@Suite struct BoxPodcastTests {
  private static let feed = """
    <rss version="2.0"><channel><title>Talk</title>
    <item><title>New</title><guid>n</guid><pubDate>Fri, 20 Nov 2026 06:00:00 GMT</pubDate>
    <enclosure url="/new.mp3" type="audio/mpeg"/></item>
    <item><title>Old</title><guid>o</guid><enclosure url="/old.mp3" type="audio/mpeg"/></item></channel></rss>
    """

  @Test("Episodes are listed, played, and resumed at their positions after days without power (E1, E5)")
  func podcast() async throws {
    try await Stage.run {
      let bytes = ToneMp3.frames(4_000, seed: 91)
      let station = try ScriptedStation { visit in
        visit.path == "/feed"
          ? StationAction.response("200 OK", Self.feed, type: "application/rss+xml")
          : FileServer(bytes).actions(for: visit)
      }
      defer { station.close() }
      let box = try Box(stations: [("Talk", station.url("/feed"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: Talk"))
      let peer = try ControlPeer(box.socket)
      #expect(
        peer.request("radio_episodes") == [
          "episode: 1", "title: New", "date: 2026-11-20", "url: \(station.url("/new.mp3"))",
          "episode: 2", "title: Old", "url: \(station.url("/old.mp3"))",
        ])
      #expect(peer.status()["episode"] == "1" && peer.status()["episodes"] == "2")
      #expect(peer.waitForNumber("position") { $0 > 0.2 } && peer.status()["title"] == "New")
      #expect(abs(Double(peer.status()["duration"] ?? "").map { $0 - 104.5 } ?? 9) < 0.5)
      #expect(peer.request("radio_episode next") == [] && peer.waitForNumber("episode") { $0 == 2 })
      #expect(peer.waitForNumber("position") { $0 > 0.2 } && peer.request("seekcur 60") == [])
      #expect(peer.waitForNumber("position") { $0 > 61 })
      #expect(peer.request("radio_episode 7")?.first?.hasPrefix("ACK [50@0] {radio_episode}") == true)
      #expect(peer.request("radio_episodes 1:2")?.first == "episode: 2")
      // On the panel: the menu's first entry opens the episode list; the episode above is selected.
      for order in ["radio_press menu", "radio_press select", "radio_turn -1 tune"] {
        #expect(peer.request(order) == [])
      }
      #expect(peer.request("radio_display")?.contains { $0.hasPrefix("row_") && $0.contains("→1 New") } == true)
      #expect(peer.request("radio_press select") == [] && peer.waitForNumber("episode") { $0 == 1 })
      #expect(peer.request("radio_episode 2") == [] && peer.waitForNumber("episode") { $0 == 2 })
      #expect(peer.waitForNumber("position") { $0 > 61.5 })
      #expect(try box.switchOff().code == 0 && box.manager.receives("STOPPING=1"))
      try box.start()
      #expect(box.manager.receives("STATUS=playing: Talk"))
      let again = try ControlPeer(box.socket)
      #expect(again.waitForNumber("episode") { $0 == 2 } && again.waitForNumber("position") { $0 > 61 && $0 < 80 })
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("next and previous select episodes, and the box stops after the last one (E1)")
  func endsWithTheLastEpisode() async throws {
    try await Stage.run {
      let bytes = ToneMp3.frames(400, seed: 92)
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/feed": StationAction.response("200 OK", Self.feed, type: "application/rss+xml")
        case "/live": StationAction.onAir(Clip(bytes))
        default: FileServer(bytes).actions(for: visit)
        }
      }
      defer { station.close() }
      let box = try Box(stations: [("Talk", station.url("/feed")), ("Music", station.url("/live"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: Talk"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForNumber("episode") { $0 == 1 } && peer.waitForNumber("position") { $0 > 0.2 })
      #expect(peer.request("next") == [] && peer.waitForNumber("episode") { $0 == 2 })
      #expect(peer.waitForNumber("position") { $0 > 0.2 && $0 < 5 })
      #expect(
        peer.request("previous") == [] && peer.waitForNumber("episode") { $0 == 1 }
          && peer.waitForNumber("position") { $0 > 0.2 })
      #expect(peer.request("radio_press next") == [] && peer.waitForNumber("episode") { $0 == 2 })
      #expect(peer.waitForNumber("position") { $0 > 0.2 } && peer.request("seekcur 9.5") == [])
      #expect(box.manager.receives("STATUS=stopped: Talk"), "the last episode is over")
      #expect(peer.request("play") == [] && peer.waitForNumber("position") { $0 > 0.2 })
      #expect(peer.request("radio_episode 2") == [] && peer.waitForNumber("episode") { $0 == 2 })
      #expect(peer.waitForNumber("position") { $0 > 0.2 } && peer.request("radio_press next") == [])
      #expect(box.manager.receives("STATUS=stopped: Talk"), "there is no episode behind the last")
      #expect(station.visits.allSatisfy { $0.path != "/live" })
      // The next key of a stopped box selects the next station.
      #expect(peer.request("radio_press next") == [] && box.manager.receives("STATUS=playing: Music"))
      #expect(try box.switchOff().code == 0)
    }
  }
}

/// Spectrum, level, recordings and kept songs from the box's panel (S2, N3, R8).
@Suite struct BoxSoundTests {
  @Test("The panel records, saves songs, and shows spectrum and level; the status has the figures")
  func panel() async throws {
    try await Stage.run {
      let clip = Clip.mp3(40)
      let titles = [(at: 0, text: "Duo - One"), (at: 60_000, text: "Band - Two")]
      let mixed = Icy.interleave(clip.bytes, metaint: 4_000, titles: titles)
      let station = try ScriptedStation([
        .live("icy-metaint: 4000"), .pace(mixed, perSecond: 16_200, burst: 100_000), .stall,
      ])
      defer { station.close() }
      let folder = TemporaryFolder()
      let box = try Box(
        "[recording]\npath = \"\(folder.path)/kept\"\n", stations: [("First", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: First"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForDisplay("Two"))
      #expect(peer.request("radio_press keep") == [])
      #expect(peer.waitForDisplay("Kept: Two"))
      #expect(peer.request("radio_press record") == [])
      #expect(peer.waitForDisplay("Recording"))
      #expect(peer.waitForNumber("recording_seconds") { $0 > 1 })
      #expect(peer.request("radio_press record") == [])
      #expect(peer.waitForDisplay("Recorded"))
      #expect(peer.request("radio_press display") == [])
      #expect(peer.waitForDisplay("▇") || peer.waitForDisplay("█"))
      #expect(peer.request("radio_press display") == [])
      #expect(peer.waitForDisplay("Peak"))
      #expect(peer.waitForNumber("level_l") { $0 > -60 })
      let bands = (peer.status()["spectrum"] ?? "").split(separator: " ").compactMap { Int($0) }
      #expect(bands.count == 16 && bands.contains { $0 > -80 })
      #expect(try box.switchOff().code == 0)
      #expect(box.state.contains("face=level\n"), "what was chosen is kept")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept").sorted()
      #expect(files.contains("Band - Two.mp3"), "\(files)")
      #expect(files.contains { $0.hasPrefix("First 20") && $0.hasSuffix(".mp3") }, "\(files)")
    }
  }
}
