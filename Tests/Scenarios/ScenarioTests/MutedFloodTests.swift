import RadioEngine
import TestSupport
import Testing
import Units

/// Packets that nobody hears take the decode thread's time, and nothing else (C1).
@Suite struct MutedFloodTests {
  /// Pages that each end the stream: 255 packets of 2 bytes, which are decoded to 31 s, and cut off as a whole.
  private static func pages(_ count: Int, behind link: OggLink) -> [UInt8] {
    let granule = link.music.preSkip + link.music.frameCount
    // Six frames of 20 ms that have no bytes.
    let packets = [[UInt8]](repeating: [0xFF, 6], count: 255)
    return (0..<count).flatMap { index in
      OggWriter.page(
        1, UInt32(link.pages.count + 2 + index), OggWriter.ends, granule: Int64(granule),
        packets.map { UInt8($0.count) }, packets.flatMap { $0 })
    }
  }

  @Test("a flood of packets that are cut off does not take the decode thread's beat from the watchdog (C1)")
  func beats() async throws {
    try await Stage.run {
      let link = OggLink(EncodedMusic(Music(frames: 3 * 48_000, rate: 48_000, seed: 71), .opus()))
      let station = try ScriptedStation([
        .live(type: "application/ogg"), .send(link.bytes + Self.pages(400, behind: link)), .stall,
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      try #require(rig.next("playing", within: 10) != nil)
      var (beat, longest, still) = (rig.radio.heartbeats.decode, 0, 0)
      for _ in 0..<30 {
        rig.run(for: 0.1)
        still = rig.radio.heartbeats.decode == beat ? still + 1 : 0
        (beat, longest) = (rig.radio.heartbeats.decode, max(longest, still))
      }
      #expect(longest < 15, "it stood still for \(longest) tenths of a second")
      _ = rig.radio.close()
    }
  }
}
