import MediaSupport
import RadioEngine
import RadioSupport
import SinkBench
import TestSupport
import Testing
import Units

/// Serial number, page sequence and granule position of a new connection show its place in an Ogg stream (R4.2).
@Suite struct OggJoinTests {
  static let codecs: [EncodedMusic.Codec] = [
    .vorbis, .opus(), .opus(block: 240), .flac(), .flac(bits: 24, block: 1_152),
  ]

  private static func link(_ codec: EncodedMusic.Codec, packetsPerPage: Int, origin: Int = 0) -> OggLink {
    let music = EncodedMusic(Music(frames: 48_000 * 4 + 123, rate: 48_000, seed: 81), codec)
    return OggLink(music, "Song", serial: 90, packetsPerPage: packetsPerPage, origin: origin)
  }

  /// A station whose connections start and end at these pages. Later connections receive nothing.
  private static func station(_ link: OggLink, _ parts: [Range<Int>]) throws -> ScriptedStation {
    try ScriptedStation { visit in
      guard visit.number < parts.count else { return [.stall] }
      let pages = link.pages[parts[visit.number]].flatMap(\.bytes)
      return [.live(type: "application/ogg"), .send(link.head + pages)]
    }
  }

  @Test(
    "A connection that starts with the very next page loses no sample", arguments: codecs, [3, 20])
  func contiguous(codec: EncodedMusic.Codec, packetsPerPage: Int) async throws {
    try await Stage.run {
      let link = Self.link(codec, packetsPerPage: packetsPerPage)
      let (first, second) = (link.pages.count / 3, link.pages.count / 2)
      let station = try Self.station(link, [0..<first, first..<second, second..<link.pages.count])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url())
      #expect(rig.run { rig.events("stitched").count == 2 && rig.pcmCount >= link.music.pcm.count }, "\(rig.names)")
      for case .stitched(let overlap, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(overlap == 0 && lost == 0 && isExact && !isEstimated)
      }
      _ = rig.radio.close()
      #expect(difference(Array(rig.pcm.prefix(link.music.pcm.count)), link.music.pcm) == nil)
    }
  }

  @Test("Pages that repeat are dropped, and no sample is lost", arguments: codecs)
  func repeated(codec: EncodedMusic.Codec) async throws {
    try await Stage.run {
      let link = Self.link(codec, packetsPerPage: 3)
      let middle = link.pages.count / 2
      let station = try Self.station(link, [0..<middle, middle - 1..<link.pages.count])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url())
      #expect(rig.run { rig.events("stitched").count == 1 && rig.pcmCount >= link.music.pcm.count }, "\(rig.names)")
      for case .stitched(_, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(lost == 0 && isExact && !isEstimated)
      }
      _ = rig.radio.close()
      #expect(difference(Array(rig.pcm.prefix(link.music.pcm.count)), link.music.pcm) == nil)
    }
  }

  /// Granule positions of a station that has run for days must not change the result.
  @Test("The reported loss equals the real loss", arguments: codecs, [0, 48_000 * 400_000])
  func lost(codec: EncodedMusic.Codec, origin: Int) async throws {
    try await Stage.run {
      let link = Self.link(codec, packetsPerPage: 3, origin: origin)
      let middle = link.pages.count / 2
      let station = try Self.station(link, [0..<middle, middle + 5..<link.pages.count])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url())
      guard case .stitched(let overlap, let lost, let isExact, let isEstimated) = rig.next("stitched") else {
        Issue.record("nothing was joined")
        return
      }
      let count = link.music.pcm.count - Int(lost * 48_000 + 0.5) * S24Samples.frameByteCount
      #expect(rig.run { rig.pcmCount >= count }, "\(rig.pcmCount) of \(count)")
      rig.run(for: 0.3)
      #expect(rig.pcmCount == count)
      #expect(overlap == 0 && lost > 0 && !isExact && !isEstimated)
      #expect(abs(rig.radio.close().lost - lost) < 1e-6)
    }
  }
}
