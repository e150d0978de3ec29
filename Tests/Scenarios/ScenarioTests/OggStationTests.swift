import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SinkBench
import TestSupport
import Testing
import Units

/// Ogg as real stations send it.
@Suite struct OggStationTests {
  static let codecs: [EncodedMusic.Codec] = [.vorbis, .opus(), .flac()]

  private static func link(_ codec: EncodedMusic.Codec, origin: Int = 0, seconds: Int = 3) -> OggLink {
    let music = EncodedMusic(Music(frames: 48_000 * seconds + 77, rate: 48_000, seed: 91), codec)
    return OggLink(music, "Song", serial: 33, packetsPerPage: 4, origin: origin)
  }

  private static func expectWhole(_ rig: RadioRig, _ music: EncodedMusic) {
    #expect(rig.playOut(), "\(rig.names)")
    let summary = rig.radio.close()
    #expect(abs(summary.heard - music.duration) < 1e-3 && summary.lost == 0)
    #expect(difference(rig.pcm, music.pcm) == nil)
  }

  @Test("A station that has run for days plays from its first sample", arguments: codecs, [200_000, 5_000_000])
  func days(codec: EncodedMusic.Codec, seconds: Int) async throws {
    try await Stage.run {
      let link = Self.link(codec, origin: 48_000 * seconds)
      let station = try ScriptedStation([.live(type: "application/ogg"), .send(link.bytes)])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url()) { $0.retry = .times(0) }
      Self.expectWhole(rig, link.music)
    }
  }

  @Test("A recording of such a station has its own length and starts at 0", arguments: codecs)
  func recordedDays(codec: EncodedMusic.Codec) async throws {
    try await Stage.run {
      let link = Self.link(codec, origin: 48_000 * 200_000)
      let folder = TemporaryFolder()
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(try WebAddress(filePath: folder.write(link.bytes, to: "recorded.ogg")).url.unredacted)
      #expect(rig.next("playing") != nil, "\(rig.names)")
      #expect(rig.radio.status.duration.map { abs($0 - link.music.duration) < 0.001 } == true)
      Self.expectWhole(rig, link.music)
    }
  }

  @Test("ICY titles inside Ogg cost no sample", arguments: codecs, [512, 8_192])
  func icy(codec: EncodedMusic.Codec, metaint: Int) async throws {
    try await Stage.run {
      let link = Self.link(codec)
      let bytes = Icy.interleave(
        link.bytes, metaint: metaint, titles: [(at: link.bytes.count / 2, text: "Band - Second")])
      let station = try ScriptedStation([.live("icy-metaint: \(metaint)", type: "application/ogg"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url()) { $0.retry = .times(0) }
      Self.expectWhole(rig, link.music)
      let titles = rig.events("metadataReceived").compactMap { event in
        if case .metadataReceived(let title) = event { title.text } else { nil }
      }
      #expect(titles.last == "Band - Second")
    }
  }

  @Test("FLAC with 32 bits plays, live and in Ogg", arguments: [true, false])
  func deep(isOgg: Bool) async throws {
    try await Stage.run {
      let music = EncodedMusic(Music(frames: 100_000, rate: 48_000, seed: 92), .flac(bits: 32))
      let bytes = isOgg ? OggLink(music, serial: 5).bytes : music.flac(isSized: false)
      let station = try ScriptedStation([.live(type: isOgg ? "application/ogg" : "audio/flac"), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(), "\(rig.names)")
      #expect(abs(rig.radio.close().heard - music.duration) < 1e-3)
    }
  }

  @Test("Ogg without headers ends with a sentence that says so", arguments: ["audio/mpeg", "application/ogg"])
  func headless(type: String) async throws {
    try await Stage.run {
      let link = Self.link(.opus(), seconds: 20)
      let pages = link.pages[50...].flatMap(\.bytes)
      let station = try ScriptedStation([.live(type: type), .send(pages)])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run(60) { !bench.faults.isEmpty })
      let sentence = bench.faults.first?.sentence ?? ""
      #expect(sentence.contains("sends its headers only once"), "\(sentence)")
    }
  }
}
