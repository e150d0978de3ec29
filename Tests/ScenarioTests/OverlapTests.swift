import Foundation
import Network
import TestSupport
import Testing
import Units

/// What a new connection brings, joined to what is held (R4.2): the titles, and what servers ask for.
@Suite struct OverlapTests {
  @Test(
    "titles of the overlap are not told twice, wherever their blocks come", arguments: [1_000, 3_000, 8_192, 16_000])
  func titles(metaint: Int) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let second = Int(clip.byteRate)
      let cues = [(at: 0, text: "One"), (at: 6 * second, text: "Two"), (at: 25 * second, text: "Three")]
      let station = try ScriptedStation { visit in
        // The second connection begins at 4 s: the change from One to Two lies in its overlap.
        let first = visit.number == 0 ? 0 : clip.bytes.count / clip.packets.count * 153
        let cut = visit.number == 0 ? 10 * second : clip.bytes.count
        let part = Array(clip.bytes[first..<cut])
        let moved = cues.map { (at: max(0, $0.at - first), text: $0.text) }
        let mixed = Icy.interleave(part, metaint: visit.number == 0 ? 4_000 : metaint, titles: moved)
        return [
          .live("icy-metaint: \(visit.number == 0 ? 4_000 : metaint)"),
          .pace(mixed, perSecond: clip.byteRate, burst: 12 * second),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(bench.run { bench.titles.last == "Three" })
      #expect(bench.titles == ["One", "Two", "Three"])
    }
  }

  @Test("a server that says when to come back is asked no sooner", arguments: ["6", "Thu, 01 Jan 2026 00:00:06 GMT"])
  func retryAfter(value: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let broadcast = Broadcast(clip, burst: 12)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live()] + broadcast.air(visit, for: 1)
        case 1:
          Act.answer("503 Later", headers: ["Date: Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After: \(value)"])
        default: [.live()] + broadcast.air(visit)
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      try #require(station.pauses.count > 1)
      #expect(station.pauses[1] > 5.8 && station.pauses[1] < 12)
      let delays = bench.told.compactMap { told -> Double? in
        if case .reconnecting(_, let delay, _) = told.notice { delay.seconds } else { nil }
      }
      #expect(delays.count == 2 && delays[1] > 5.5 && delays[1] <= 6)
    }
  }
}
