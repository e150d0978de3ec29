import MediaSupport
import Network
import RadioEngine
import RadioSupport
import TestSupport
import Testing
import Units

/// The duration of Ogg files, and the time when it is known (C1, O2).
@Suite struct EncodedLengthTests {
  private static func file(links: Int) -> (bytes: [UInt8], seconds: Double) {
    let all = (0..<links).map { number in
      let music = Music(frames: 8_000 * 60 / links, rate: 8_000, seed: UInt64(80 + number))
      return OggLink(EncodedMusic(music, .flac(block: 512)), serial: UInt32(number + 1))
    }
    return (all.flatMap(\.bytes), 60)
  }

  @Test(
    "An Ogg file, chained or not, is seekable from its first second on any server (C1, O2)",
    arguments: [1, 3], [true, false])
  func seekable(links: Int, countsFromTheEnd: Bool) async throws {
    try await Stage.run {
      let (bytes, seconds) = Self.file(links: links)
      let server = FileServer(bytes, type: "audio/ogg")
      let station = try ScriptedStation(
        tail: { countsFromTheEnd ? server.actions(for: $0) : StationAction.response("416 Range Not Satisfiable") },
        { server.actions(for: $0) })
      defer { station.close() }
      let rig = try RadioRig(RadioSettings(), isPaced: true, format: "s16le/8000/2")
      rig.tune(station.url("/sound.ogg"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.isFileSeekAllowed })
      #expect(rig.holdsUnlessLate(rig.radio.status.position < 2))
      // A chain's duration is estimated from the received part; the last page states the duration of a single link.
      let told = rig.radio.status.duration ?? 0
      #expect(abs(told - seconds) < (links == 1 ? 0.1 : 6), "\(told)")
    }
  }

  @Test("Tags after the samples of a WAV are read on any server", arguments: [206, 416, 200])
  func tagsAfterSamples(status: Int) async throws {
    try await Stage.run {
      func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + (0..<4).map { UInt8(data.count >> (8 * $0) & 0xFF) } + data
      }
      // Mono, 8 kHz, 16 bits.
      let form = chunk("fmt ", [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0])
      let samples = chunk("data", [UInt8](repeating: 5, count: 320_000))
      let tags = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("A song".utf8)))
      let server = FileServer(chunk("RIFF", Array("WAVE".utf8) + form + samples + tags), type: "audio/wav")
      var whole = server
      whole.supportsRanges = false
      let refusal = status == 416 ? StationAction.response("416 Range Not Satisfiable") : nil
      let station = try ScriptedStation(
        tail: { [whole] in refusal ?? (status == 200 ? whole : server).actions(for: $0) },
        { server.actions(for: $0) })
      defer { station.close() }
      let rig = try RadioRig(RadioSettings(), isPaced: true, format: "s16le/8000/2")
      rig.tune(station.url("/sound.wav"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.title?.track == "A song" })
    }
  }

  @Test("A FLAC file whose head and frames disagree on the depth has the head's length (C2, O2)")
  func otherDepth() async throws {
    try await Stage.run {
      // Loud, then soft: the byte offset does not give the time.
      let music = Music([
        Music(frames: 8_000 * 20, rate: 8_000, noise: 0.5, seed: 83),
        Music(frames: 8_000 * 40, rate: 8_000, noise: 0, seed: 84),
      ])
      var bytes = EncodedMusic(music, .flac(block: 512)).flac()
      // STREAMINFO says 24 bits: the value 23 in five bits, the highest at the end of a byte (RFC 9639, 8.2).
      bytes[20] |= 1
      bytes[21] = bytes[21] & 0x0F | 0x70
      let station = try ScriptedStation(FileServer(bytes, type: "audio/flac"))
      defer { station.close() }
      let rig = try RadioRig(RadioSettings(), isPaced: true, format: "s16le/8000/2")
      rig.tune(station.url("/sound.flac"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.duration != nil })
      #expect(abs((rig.radio.status.duration ?? 0) - 60) < 0.01, "\(rig.radio.status.duration ?? 0)")
    }
  }
}
