import Framing
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Announced ads (B4).
@Suite struct AdTests {
  /// A station whose ad of 2 s begins after 4 s, between two titles.
  private static func station(_ clip: Clip) throws -> ScriptedStation {
    let second = Int(clip.byteRate)
    let ad = #"Shop - text="Buy" song_spot="T" length="00:00:02""#
    let cues = [(0, "One - First"), (second * 4, ad), (second * 8, "Two - Second")]
    let mixed = Icy.interleave(clip.bytes, metaint: 2_000, titles: cues.map { (at: $0.0, text: $0.1) })
    return try ScriptedStation([.live("icy-metaint: 2000", "icy-br: 128"), .send(mixed), .stall])
  }

  /// Samples of the audio, little-endian with 16 bits.
  private static func samples(_ pcm: [UInt8]) -> [Int] {
    (0..<pcm.count / 2).map { Int(Int16(truncatingIfNeeded: Int(pcm[2 * $0]) | Int(pcm[2 * $0 + 1]) << 8)) }
  }

  @Test("An announced ad is reported when audible, and its mark is not shown as a title")
  func reported() async throws {
    try await Stage.run {
      let station = try Self.station(Clip.mp3(12))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(20) { rig.events("metadataChanged").count == 2 })
      #expect(
        rig.names.filter { $0 == "adBreak" || $0 == "metadataChanged" } == [
          "metadataChanged", "adBreak", "adBreak", "metadataChanged",
        ])
      let ads = rig.events("adBreak")
      #expect(ads.first == .adBreak(isBeginning: true, kind: .spot, length: 2))
      guard case .adBreak(isBeginning: false, kind: .spot, let length?) = ads.last else {
        Issue.record("the ad has no end")
        return
      }
      #expect(abs(length - 2) < 0.01)
      let start = try #require(rig.time(of: "playing"))
      #expect(abs(try #require(rig.time(of: "adBreak")) - start - 4) < 0.6)
    }
  }

  @Test("An ad is lowered by 12 dB if wanted, and only the ad")
  func lowered() async throws {
    try await Stage.run {
      let clip = Clip.mp3(12)
      let heard = try [false, true].map { lowersAds in
        let station = try Self.station(clip)
        defer { station.close() }
        var settings = RadioSettings.bench
        settings.lowersAds = lowersAds
        let rig = try RadioRig(settings, isPaced: true)
        rig.tune(station.url())
        #expect(rig.run(20) { rig.events("metadataChanged").count == 2 })
        return Self.samples(rig.pcm)
      }
      // Stereo, 44.1 kHz. The card's buffer delays each change.
      let second = 44_100 * 2
      #expect(heard[0][..<(4 * second - second / 2)] == heard[1][..<(4 * second - second / 2)])
      let inside = 4 * second + second / 2..<6 * second - second / 2
      let ratio =
        inside.reduce(0.0) { $0 + Double(abs(heard[1][$1])) } / inside.reduce(0.0) { $0 + Double(abs(heard[0][$1])) }
      #expect(abs(ratio - 0.251) < 0.005)
      let after = 6 * second + second / 2..<7 * second
      #expect(heard[0][after] == heard[1][after])
    }
  }
}
