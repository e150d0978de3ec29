import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A ring without room for four packets refuses a station; a ring with that room plays it (R2.1, C2).
@Suite struct FewBlocksTests {
  /// Packets of 24 bits at 96 kHz: with 4,096 frames 5 blocks, with 16,384 frames 18 blocks.
  private static func music(_ block: Int, seconds: Double = 6) -> EncodedMusic {
    EncodedMusic(
      Music(frames: Int(seconds * 96_000), rate: 96_000, noise: 0.4, seed: 44), .flac(bits: 24, block: block))
  }

  /// Packets of 4 blocks; the smallest ring has room for four packets.
  private static let smallest = music(3_200)
  private static let short = music(4_096)
  private static let long = music(16_384)

  private static func needed(_ music: EncodedMusic) -> Int {
    let longest = music.packets.map(\.bytes.count).max() ?? 0
    // The headroom in the formula covers the packet's record in a block of 5,120 bytes.
    return 4 * ((longest + 5_120) / 5_120)
  }

  @Test(
    "A station without room for four packets is refused at once, with the required size (C2)", arguments: [16, 48, 64],
    ["live", "HTTP", "Ogg"])
  func refused(blocks: Int, source: String) async throws {
    try await Stage.run {
      let music = Self.long
      let bytes = source == "Ogg" ? OggLink(music).bytes : music.flac()
      let station =
        source == "HTTP"
        ? try ScriptedStation(FileServer(bytes, type: "audio/flac"))
        : try ScriptedStation([.live(type: "application/octet-stream"), .send(bytes), .stall])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = blocks
      let rig = try RadioRig(settings, isPaced: true, format: "s24le/96000/2")
      rig.tune(station.url("/sound"))
      #expect(rig.playOut(within: 10), "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.error) && !rig.names.contains("playing"), "\(rig.names)")
      let needed = Self.needed(music)
      #expect(needed > 64)
      guard case .fewBlocks(let told)? = rig.radio.failure?.detail else {
        Issue.record("another fault: \(rig.radio.failure?.sentence ?? "none")")
        return
      }
      #expect(told > blocks && told <= needed)
      #expect(
        rig.radio.failure?.sentence.hasSuffix(
          "has packets too long for the buffer; make the buffer \(told) blocks or larger.")
          == true)
      settings.blockCount = needed
      let larger = try RadioRig(settings, format: "s24le/96000/2")
      larger.tune(station.url("/sound"))
      #expect(larger.next("playing") != nil, "\(larger.names)")
      _ = larger.radio.close()
      let next = try ScriptedStation(StationAction.onAir(Clip.mp3(5)))
      defer { next.close() }
      rig.tune(next.url())
      #expect(rig.next("playing") != nil)
      _ = rig.radio.close()
    }
  }

  @Test(
    "A ring of the minimum size plays everything without a stall (C2)",
    arguments: [3_200, 4_096, 16_384], ["live", "HTTP", "Ogg"])
  func justEnough(block: Int, source: String) async throws {
    try await Stage.run {
      let music = block == 16_384 ? Self.long : block == 4_096 ? Self.short : Self.smallest
      // A page is parsed when it is complete, with all its packets.
      let bytes = source == "Ogg" ? OggLink(music, packetsPerPage: 1).bytes : music.flac()
      let pace = StationAction.pace(bytes, perSecond: 2 * Double(bytes.count) / music.duration, burst: bytes.count / 6)
      let station =
        source == "HTTP"
        ? try ScriptedStation(FileServer(bytes, type: "audio/flac"))
        : try ScriptedStation([.live(type: "application/octet-stream"), pace])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = max(16, Self.needed(music))
      let rig = try RadioRig(settings, isPaced: true, format: "s24le/96000/2")
      rig.tune(station.url("/sound")) { $0.retry = .times(0) }
      #expect(rig.playOut(within: 20), "\(rig.names)")
      let summary = rig.radio.close()
      #expect(summary.rescues == 0 && abs(summary.heard - music.duration) < 0.001, "\(summary.heard) s")
      // A ring of few packets may have underruns, but loses no packet.
      guard block > 4_096 else { return }
      #expect(
        rig.holdsUnlessLate(summary.underruns == 0 && difference(rig.pcm, music.pcm) == nil),
        "\(summary.underruns) underruns, \(difference(rig.pcm, music.pcm) ?? "")")
    }
  }
}
