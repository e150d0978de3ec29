import Foundation
import TestSupport
import Testing

/// Spectrum, level, recordings and kept songs from the box's panel (S2, N3, R8).
@Suite struct BoxSoundTests {
  @Test("the panel records, keeps songs, and shows spectrum and level; status has the figures")
  func panel() async throws {
    try await Stage.run {
      let clip = Clip.mp3(40)
      let titles = [(at: 0, text: "Band - One"), (at: 60_000, text: "Band - Two")]
      let mixed = Icy.interleave(clip.bytes, metaint: 4_000, titles: titles)
      let station = try ScriptedStation([
        .live("icy-metaint: 4000"), .pace(mixed, perSecond: 16_200, burst: 100_000), .stall,
      ])
      defer { station.close() }
      let folder = TemporaryFolder()
      let box = try Box(
        "[recording]\npath = \"\(folder.path)/kept\"\n", stations: [("First", station.url("/one"))])
      try box.start()
      #expect(box.manager.hears("STATUS=playing: First"))
      let peer = try ControlPeer(box.socket)
      #expect(try shows("Two", peer))
      #expect(peer.ask("radio_press keep") == [])
      #expect(try shows("Kept: Two", peer))
      #expect(peer.ask("radio_press record") == [])
      #expect(try shows("Recording", peer))
      #expect(peer.waits("recording_seconds") { $0 > 1 })
      #expect(peer.ask("radio_press record") == [])
      #expect(try shows("Recorded", peer))
      #expect(peer.ask("radio_press display") == [])
      #expect(try shows("▇", peer) || shows("█", peer))
      #expect(peer.ask("radio_press display") == [])
      #expect(try shows("Peak", peer))
      #expect(peer.waits("level_l") { $0 > -60 })
      let bands = (peer.status()["spectrum"] ?? "").split(separator: " ").compactMap { Int($0) }
      #expect(bands.count == 16 && bands.contains { $0 > -80 })
      #expect(try box.switchOff().code == 0)
      #expect(box.state.contains("face=level\n"), "what was chosen is kept")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept").sorted()
      #expect(files.contains("Band - Two.mp3"), "\(files)")
      #expect(files.contains { $0.hasPrefix("First 20") && $0.hasSuffix(".mp3") }, "\(files)")
    }
  }

  private func shows(_ words: String, _ peer: ControlPeer) throws -> Bool {
    let deadline = monotonicSeconds() + 10
    while monotonicSeconds() < deadline {
      if peer.ask("radio_display")?.contains(where: { $0.contains(words) }) == true { return true }
      usleep(20_000)
    }
    return false
  }
}
