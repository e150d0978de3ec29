import Foundation
import StationSupport
import TestSupport
import Testing

@Suite struct NowPlayingProgramTests {
  private static let feed = "<l><audio><title>T</title><artist>A - B</artist></audio></l>"

  private func station() throws -> ScriptedStation {
    try ScriptedStation { visit in
      visit.path.hasPrefix("/live")
        ? [.live(), .pace(Clip.mp3(30).bytes, perSecond: 16_000, burst: 64_000), .stall]
        : StationAction.response("200 OK", Self.feed, type: "text/xml")
    }
  }

  @Test("play prints artist and title separately and together (R6.6)")
  func play() async throws {
    try await Stage.run {
      let station = try station()
      defer { station.close() }
      let outcome = try Program.run(
        "play", "--output", "null", "--duration", "4", "--events", "-", "--xml-meta", station.url("/feed.xml"),
        "--station-time-zone", "EST", "--xml-delay", "-20", station.url())
      #expect(outcome.code == 0)
      let line = try #require(outcome.outputText.split(separator: "\n").first { $0.contains("metadataChanged") })
      for part in ["\"title\":\"A - B - T\"", "\"artist\":\"A - B\"", "\"track\":\"T\"", "\"url\":null", "\"at\":"] {
        #expect(line.contains(part), "\(line)")
      }
      #expect(station.visits.first?.header("x-audiocast-udpport") == nil)
    }
  }

  @Test("A box reads external titles from its station file; a client ends and starts them")
  func box() async throws {
    try await Stage.run {
      let station = try station()
      defer { station.close() }
      let box = try Box()
      let text = """
        [[station]]
        name = "One"
        url = "\(station.url())"
        xml_meta_url = "\(station.url("/feed.xml"))"
        station_time_zone = "EST"
        audiocast = true

        [[station]]
        name = "Two"
        url = "\(station.url())?two"

        """
      box.folder.write(Array(text.utf8), to: "stations.toml")
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_nowplaying end") == [] && peer.request("radio_nowplaying begin") == [])
      var lines: [String] = []
      for _ in 0..<600 where !lines.contains("track: T") {
        lines = peer.request("radio_status") ?? []
        Thread.sleep(forTimeInterval: 0.02)
      }
      #expect(lines.contains("track: T") && lines.contains("artist: A - B"))
      #expect(station.visits.first?.header("x-audiocast-udpport") != nil)
      #expect(peer.request("radio_nowplaying now")?.first?.hasPrefix("ACK [2@0]") == true)
      #expect(peer.request("radio_tune Two") == [])
      let begun = peer.request("radio_nowplaying begin")
      #expect(begun?.first?.hasPrefix("ACK [50@0]") == true, "\(begun ?? []), \(peer.status())")
      #expect(try box.switchOff().code == 0)
    }
  }
}
