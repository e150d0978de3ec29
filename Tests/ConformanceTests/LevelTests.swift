import DecoderBench
import Decoding
import Foundation
import Testing

/// What FFmpeg made of a stream, where its PCM itself is not kept.
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
  /// Streams, and how many frames more than FFmpeg the radio plays: it cuts no encoder's delay off; libfaad keeps a
  /// packet to itself.
  @Test(
    arguments: [
      ("aac/ct_faac-adts.aac", 0), ("media3/aac/sine.aac", -1024), ("media3/ts/sample.adts", 0),
      ("mp3-conformance/go-mp3/mpeg2.mp3", 0), ("mp3-fate/gapless.mp3", 3712), ("mp3-fate/id3v2_priv.mp3", 0),
      ("mp3-fate/square3.mp3", 3132),
    ])
  func soundIsAsMuchAsTheReferences(name: String, more: Int) throws {
    let facts = try #require(AacFacts.all[name])
    let path = name.hasPrefix("mp3-fate") ? "mp3-extra/" + name.name : name
    let heard = hear(Programme(try Corpora.bytes(path)).packets, .bits16)
    #expect(heard.allSatisfy { $0.error == nil })
    let pcm = Pcm(heard)
    #expect(pcm.frameCount == facts.samples + more)
    let ratio = pcm.level * Double(pcm.frameCount).squareRoot() / (facts.rms * Double(facts.samples).squareRoot())
    #expect(abs(20 * log10(ratio)) < 0.001)
    Figures.tell("RMS ", name, String(format: "%+.6f dB", 20 * log10(ratio)), "frames \(pcm.frameCount)")
  }

  /// Its header says SSR, which libfaad does not know.
  @Test func whatLibfaadDoesNotKnowIsSilent() throws {
    let heard = hear(Programme(try Corpora.bytes("media3/aac/bbb_1ch_8kHz_aac_lc.aac")).packets, .bits16)
    #expect(heard.count == 25)
    #expect(heard.allSatisfy { $0.error != nil })
  }
}
