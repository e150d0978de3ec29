import MediaSupport
import Network
import RadioEngine
import Recordings
import StationSupport
import TestSupport
import Testing

@testable import Control

/// A fallback in place of an announced ad (B4), with a real radio.
@Suite struct AdReplacementTests {
  /// A server with a station whose ad begins after 4 s, and with a fallback. The next title follows 11 s later.
  /// `length`: the announced length in seconds; nil if only the title ends the ad.
  private static func server(length: Int? = 10) throws -> ScriptedStation {
    let clip = Clip.long(120)
    let second = Int(clip.byteRate)
    let ad = "Shop - text=\"Buy\" song_spot=\"T\"" + (length.map { " length=\"00:00:\($0)\"" } ?? "")
    let cues = [(0, "One - First"), (second * 4, ad), (second * 15, "Two - Second")]
    let mixed = Icy.interleave(clip.bytes, metaint: 2_000, titles: cues.map { (at: $0.0, text: $0.1) })
    return try ScriptedStation { visit in
      guard visit.path == "/main" else {
        return [.live(), .pace(Clip.long(200, seed: 9).bytes, perSecond: Double(second), burst: 2 * second), .stall]
      }
      return [
        .live("icy-metaint: 2000", "icy-br: 128"), .pace(mixed, perSecond: Double(second), burst: 2 * second), .stall,
      ]
    }
  }

  private static func bench(_ server: ScriptedStation, _ source: FallbackSource? = nil) throws -> Bench {
    let bench = try Bench(isPaced: true, hasFallback: true)
    let source = source ?? FallbackSource(Preset(name: "B", request: StationRequest(url: server.url("/b"))))
    bench.player.fallback.plan = { _ in FallbackPlan([source]) }
    bench.player.fallback.replacesAds = true
    bench.player.add(StationRequest(url: server.url("/main")), name: "A")
    bench.player.play(0)
    return bench
  }

  @Test(
    "The fallback plays during an ad, and the station continues on its connection after the ad (B4)",
    arguments: [10, nil])
  func replaced(length: Int?) async throws {
    try await Stage.run(speed: 4) {
      let server = try Self.server(length: length)
      defer { server.close() }
      let bench = try Self.bench(server)
      #expect(bench.run { bench.events.contains("failedOver") })
      let left = bench.radio.time
      let client = bench.client()
      #expect(client.value("source_cause", of: "radio_status") == "ad")
      #expect(bench.run { bench.events.last == "playing" } && bench.player.fallback.sourceName == "B")
      #expect(bench.run { bench.events.last == "cameBack" })
      // The decoded audio is a second or two ahead of the audible audio.
      #expect((8...12.5).contains(bench.radio.time - left), "\(bench.radio.time - left)")
      #expect(bench.run { bench.radio.status.title?.text == "Two - Second" })
      #expect(bench.events.count { $0 == "adBreak" } == 1 && bench.radio.status.adBreak == nil, "\(bench.events)")
      #expect(server.visits.map(\.path) == ["/main", "/b"])
      #expect(!bench.player.fallback.isAway && bench.events.count { $0 == "failedOver" } == 1)
    }
  }

  @Test("A recording and a time-shifted listener stay with the ad", arguments: ["recording", "rewind"])
  func stays(reason: String) async throws {
    try await Stage.run(speed: 4) {
      let server = try Self.server()
      defer { server.close() }
      let bench = try Self.bench(server)
      let folder = TemporaryFolder()
      #expect(bench.run { bench.radio.status.heldBehind > 2 })
      if reason == "recording" {
        try bench.radio.record(RecordingOrder(folder.path + "/x.mp3"))
      } else {
        bench.player.pause()
        let start = bench.radio.time
        #expect(bench.run { bench.radio.time - start > 7 })
        bench.player.play()
      }
      #expect(bench.run { bench.events.contains("adBreak") })
      #expect(bench.run { bench.radio.status.title?.text == "Two - Second" })
      #expect(!bench.events.contains("failedOver") && server.visits.map(\.path) == ["/main"])
    }
  }

  @Test("A fallback whose file is missing leaves the station and its ad untouched")
  func missing() async throws {
    try await Stage.run(speed: 4) {
      let server = try Self.server()
      defer { server.close() }
      let bench = try Self.bench(server, FallbackSource(path: "/missing/a.mp3"))
      #expect(bench.run { bench.radio.status.title?.text == "Two - Second" })
      #expect(bench.events.count { $0 == "adBreak" } == 2 && !bench.events.contains("failedOver"))
      #expect(server.visits.count == 1 && !bench.player.fallback.isAway)
    }
  }

  @Test("Ads are heard by default")
  func off() async throws {
    try await Stage.run(speed: 4) {
      let server = try Self.server()
      defer { server.close() }
      let bench = try Self.bench(server)
      bench.player.fallback.replacesAds = false
      #expect(bench.run { bench.radio.status.title?.text == "Two - Second" })
      #expect(bench.events.count { $0 == "adBreak" } == 2 && !bench.events.contains("failedOver"))
    }
  }
}
