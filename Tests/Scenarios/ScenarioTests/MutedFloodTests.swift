import MediaSupport
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// Inaudible packets use the decode thread's time, and nothing else (C1).
@Suite struct MutedFloodTests {
  /// Pages with an end-of-stream flag: 255 packets of 2 bytes decode to 31 s, which are all trimmed.
  private static func pages(_ count: Int, at granule: Int, from number: Int) -> [UInt8] {
    // Six frames of 20 ms without data.
    let packets = [[UInt8]](repeating: [0xFF, 6], count: 255)
    return (0..<count).flatMap { index in
      OggWriter.page(
        1, UInt32(number + index), OggWriter.ends, granule: Int64(granule),
        packets.map { UInt8($0.count) }, packets.flatMap { $0 })
    }
  }

  @Test("A flood of muted packets does not stop the decode thread's heartbeat (C1)")
  func beats() async throws {
    try await Stage.run {
      let link = OggLink(EncodedMusic(Music(frames: 3 * 48_000, rate: 48_000, seed: 71), .opus()))
      let granule = link.music.preSkip + link.music.frameCount
      let station = try ScriptedStation([
        .live(type: "application/ogg"),
        .send(link.bytes + Self.pages(400, at: granule, from: link.pages.count + 2)), .stall,
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

  @Test("Packets of zero duration may fill the ring before the first audio, and the rest plays (C1)")
  func roomIsFull() async throws {
    try await Stage.run {
      let music = EncodedMusic(Music(frames: 3 * 48_000, rate: 48_000, seed: 71), .opus())
      let (muted, link) = (OggLink(music), OggLink(music, serial: 2))
      let flood = Self.pages(60, at: music.preSkip, from: 2)
      let station = try ScriptedStation([
        .live(type: "application/ogg"), .send(muted.head + flood + link.bytes), .stall,
      ])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = 40
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      #expect(rig.run { rig.radio.status.position > 2.9 }, "\(rig.names)")
      _ = rig.radio.close()
    }
  }
}
