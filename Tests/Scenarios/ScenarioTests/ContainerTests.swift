import RadioSupport
import StationSupport
import TestSupport
import Testing

/// Stations with audio in a container (C4).
@Suite struct ContainerTests {
  @Test("AAC in LATM frames plays from any position (C4)", arguments: [0, 1, 150, 299])
  func latm(skipped: Int) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.aac(20)
      let bytes = Array(Latm.stream(clip).dropFirst(skipped))
      let station = try ScriptedStation([
        .live(type: "audio/aacp"), .pace(bytes, perSecond: 16_000, burst: 600), .stall,
      ])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { bench.written >= 8 })
      bench.readAll()
      // The header differs, because LATM lacks the encoder's buffer fullness.
      let heard = Clip(bench.readBytes).packets.map { Array($0.bytes.dropFirst(7)) }
      let whole = clip.packets.map { Array($0.bytes.dropFirst($0.bytes[1] & 1 == 0 ? 9 : 7)) }
      let first = try #require(whole.firstIndex { $0 == heard.first })
      #expect(first <= 3 && heard.count > 300 && whole[first...].starts(with: heard))
    }
  }
}
