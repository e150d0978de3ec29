import DecoderBench
import Decoding
import Foundation
import Framing
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing

/// Files with tags, info frames and covers play all their audio and no other data, with the right length (R6.7, R11).
@Suite("Sound of tagged files", .corpora)
struct TaggedSoundTests {
  static let files =
    (Corpora.files("tags", "mp3") + Corpora.files("media3", "mp3") + Corpora.files("mp3-extra", "mp3"))
    // One file has a gap in the middle.
    .filter { $0.name != "apev2-lyricsv2.mp3" }

  /// Files in which no packet follows another: an info frame, one packet of silence, or no packet.
  static let silent: Set = [
    "bad-POPM-frame.mp3", "too-short.mp3", "emptyfile.mp3", "1024_incrementing_bytes.mp3", "play-trimmed.mp3",
  ]

  /// The frames of a file, found from header to header.
  private func sound(_ bytes: [UInt8]) -> (packets: [ArraySlice<UInt8>], silence: XingHeader.Silence?) {
    var place = 0
    // ID3v2: ten bytes, the last four with the length.
    while bytes.dropFirst(place).starts(with: "ID3".utf8) {
      let size = bytes[place + 6..<place + 10].reduce(0) { $0 << 7 | Int($1) }
      place += 10 + size + (bytes[place + 5] & 0x10 != 0 ? 10 : 0)
    }
    func length(_ place: Int) -> Int? {
      MpegHeader(bytes.span, at: place)?.byteCount.flatMap { place + $0 <= bytes.count ? $0 : nil }
    }
    // Padding or garbage may follow a tag.
    while place < bytes.count, (0..<3).reduce(place, { at, _ in at < 0 ? -1 : length(at).map { at + $0 } ?? -1 }) < 0 {
      place += 1
    }
    var packets: [ArraySlice<UInt8>] = []
    while let count = length(place) {
      packets.append(bytes[place..<place + count])
      place += count
    }
    guard let first = packets.first, XingHeader.isPresent(in: Array(first).span) else { return (packets, nil) }
    return (Array(packets.dropFirst()), XingHeader(Array(first).span)?.silence)
  }

  @Test("The number of packets is right")
  func noneIsLeftOut() { #expect(Self.files.count == 42) }

  @Test("A file with few packets is silent", arguments: files.filter { silent.contains($0.name) })
  func noSound(path: String) async throws {
    try await Stage.run {
      let rig = try RadioRig()
      rig.tune(try WebAddress(filePath: #require(Corpora.root).appendingPathComponent(path).path).url.unredacted) {
        $0.mode = .file
      }
      #expect(rig.playOut(within: 45))
      #expect(rig.names.last == "stopped", "\(rig.names)")
      _ = rig.radio.close()
      #expect(rig.pcm.allSatisfy { $0 == 0 } && rig.pcm.count <= 1_152 * 4)
    }
  }

  @Test("Only the audio is decoded", arguments: files.filter { !silent.contains($0.name) })
  func soundAlone(path: String) async throws {
    try await Stage.run {
      let bytes = try Corpora.bytes(path)
      let (packets, silence) = sound(bytes)
      let clip = Clip(packets.flatMap { $0 })
      let rate = try #require(clip.packets.first?.info.format.sampleRate.hertz)
      var expected = clip.pcm()[...]
      if let silence {
        let last = max(0, silence.padding - 529)
        expected = expected.dropFirst((silence.delay + 529) * 4).dropLast(last * 4)
      }
      let rig = try RadioRig(format: "s16le/\(rate)/2")
      rig.tune(try WebAddress(filePath: #require(Corpora.root).appendingPathComponent(path).path).url.unredacted) {
        $0.mode = .file
      }
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      let seconds = Double(expected.count / 4) / Double(rate)
      let told = rig.radio.duration ?? 0
      #expect(abs(rig.radio.close().heard - seconds) < 0.001)
      // One file is the first 8 KB of a file whose seek table has steps of a quarter of a minute.
      #expect(abs(told - seconds) < (path.name == "vbri.mp3" ? 0.25 : 0.03), "\(told) s is told of \(seconds) s")
      #expect(difference(rig.pcm, Array(expected)) == nil)
    }
  }
}

/// Facts of FFmpeg's output for streams without stored PCM.
struct AacFacts: Decodable {
  let profile: String
  let rate: Int32
  let ch: Int
  let samples: Int
  let rms: Double

  static let all: [String: AacFacts] = {
    guard let bytes = try? Corpora.bytes("aac-reference-facts.json") else { return [:] }
    return (try? JSONDecoder().decode([String: AacFacts].self, from: Data(bytes))) ?? [:]
  }()
}

@Suite("Levels", .corpora)
struct LevelTests {
  /// Streams, and the number of frames that Bakelite plays beyond FFmpeg. Bakelite does not remove the encoder's delay;
  /// libfaad delays its output by a packet.
  @Test(
    arguments: [
      ("aac/ct_faac-adts.aac", 0), ("media3/aac/sine.aac", -1024), ("media3/ts/sample.adts", 0),
      ("mp3-conformance/go-mp3/mpeg2.mp3", 0), ("mp3-fate/gapless.mp3", 3712), ("mp3-fate/id3v2_priv.mp3", 0),
      ("mp3-fate/square3.mp3", 3132),
    ])
  func soundIsAsMuchAsTheReferences(name: String, more: Int) throws {
    let facts = try #require(AacFacts.all[name])
    let path = name.hasPrefix("mp3-fate") ? "mp3-extra/" + name.name : name
    let heard = decodePackets(Programme(try Corpora.bytes(path)).packets, .bits16)
    #expect(heard.allSatisfy { $0.error == nil })
    let pcm = Pcm(heard)
    #expect(pcm.frameCount == facts.samples + more)
    let ratio = pcm.level * Double(pcm.frameCount).squareRoot() / (facts.rms * Double(facts.samples).squareRoot())
    #expect(abs(20 * log10(ratio)) < 0.001)
    Figures.tell("RMS ", name, String(format: "%+.6f dB", 20 * log10(ratio)), "frames \(pcm.frameCount)")
  }

  /// The header declares SSR, which libfaad does not support.
  @Test func whatLibfaadDoesNotKnowIsSilent() throws {
    let heard = decodePackets(Programme(try Corpora.bytes("media3/aac/bbb_1ch_8kHz_aac_lc.aac")).packets, .bits16)
    #expect(heard.count == 25)
    #expect(heard.allSatisfy { $0.error != nil })
  }
}
