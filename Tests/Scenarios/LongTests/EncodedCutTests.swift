import MediaSupport
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// Fifty cuts in Ogg and FLAC. Each new connection sends its head and an overlapping burst; the output is sample-exact
/// (R4.2).
@Suite struct EncodedCutTests {
  struct Programme: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var type = "application/ogg"
    var plan: CutPlan
    var music: EncodedMusic

    private static let seconds = 24

    private static func music(_ form: EncodedMusic.Codec, _ seed: UInt64) -> EncodedMusic {
      let rate = if case .opus = form { 48_000 } else { 8_000 }
      return EncodedMusic(Music(frames: seconds * rate, rate: rate, noise: 0.01, seed: seed), form)
    }

    init(_ name: String, _ form: EncodedMusic.Codec, packetsPerPage: Int = 8, seed: UInt64) {
      (testDescription, music) = (name, Self.music(form, seed))
      let link = OggLink(music, "Song", serial: UInt32(seed), packetsPerPage: packetsPerPage)
      let parts = link.pages.map(\.bytes)
      let rate = Double(parts.reduce(0) { $0 + $1.count }) / Double(Self.seconds)
      plan = CutPlan(head: link.head, parts, byteRate: rate, overlap: 2...5, seed: seed)
    }

    init(native name: String, seed: UInt64) {
      (testDescription, type, music) = (name, "audio/flac", Self.music(.flac(block: 512), seed))
      let parts = music.packets.map(\.bytes)
      let count = parts.reduce(0) { $0 + $1.count }
      let head = music.flac(["TITLE=Song"], isSized: false).dropLast(count)
      plan = CutPlan(
        head: Array(head), parts, byteRate: Double(count) / Double(Self.seconds), overlap: 2...5, seed: seed)
    }
  }

  static let programmes = [
    Programme("Vorbis", .vorbis, seed: 1), Programme("Vorbis, long pages", .vorbis, packetsPerPage: 20, seed: 2),
    Programme("Opus", .opus(), seed: 3), Programme("Opus of 2.5 ms", .opus(block: 120), packetsPerPage: 60, seed: 4),
    Programme("FLAC in Ogg", .flac(block: 512), packetsPerPage: 3, seed: 5), Programme(native: "FLAC", seed: 6),
  ]

  @Test("Fifty cuts are inaudible, and each title is emitted once (R4.2, N2, C1, C2)", arguments: programmes)
  func fiftyCuts(_ programme: Programme) async throws {
    try await Stage.run(speed: 4) {
      let (plan, music) = (programme.plan, programme.music)
      let station = try ScriptedStation { visit in plan.script(visit, type: programme.type) }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      settings.blockCount = 2_400
      let rig = try RadioRig(settings, format: "s24le/\(music.rate)/2")
      rig.tune(station.url())
      // A paused radio buffers enough, so a busy machine has time.
      rig.radio.pause()
      #expect(rig.run(900) { plan.isOver && rig.radio.status.blocks.written.seconds > music.duration - 0.2 })
      #expect(rig.events("stitched").count > CutPlan.cutCount * 9 / 10)
      rig.radio.resume()
      #expect(rig.run(900) { rig.radio.status.heard > music.duration - 0.2 })
      for case .stitched(let overlap, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(overlap > 0 && lost == 0 && isExact && !isEstimated, "\(overlap) \(lost)")
      }
      let titles = rig.events("metadataChanged").compactMap { event in
        if case .metadataChanged(let title, _) = event { title.text } else { nil }
      }
      #expect(titles == ["Song"])
      let heard = rig.pcm
      #expect(Double(heard.count) > Double(music.pcm.count) * 0.99)
      #expect(difference(heard, beginningOf: music.pcm) == nil)
      let summary = rig.radio.close()
      #expect((summary.lost, summary.underruns) == (0, 0))
    }
  }
}
