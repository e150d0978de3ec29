import RadioEngine
import System
import TestSupport
import Testing
import Units

/// How the lists and segments of HLS stations are asked for.
@Suite struct SegmentRequestTests {
  private static let clip = Clip.long(400)

  /// Hears a station for some seconds: all of it is there, and nothing is told.
  private static func expectNothing(_ station: SegmentedStation, seconds: Double = 40) throws {
    let bench = try NetBench()
    bench.tune(station.url)
    SegmentTests.expectWhole(bench, station, seconds: seconds)
    #expect(bench.reasons.isEmpty && bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
  }

  @Test("connections are kept for the requests that follow")
  func kept() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, keepsConnections: true)
      defer { station.close() }
      try Self.expectNothing(station)
      let visits = station.server.visits
      // The first answer could be a live stream's, whose connection is closed.
      #expect(visits.count { $0.turn == 0 } <= 3 && visits.count > 15, "\(visits.map(\.turn))")
    }
  }

  @Test("a list may come gzipped")
  func gzipped() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        guard visit.header("Accept-Encoding") == "gzip" else { return Act.answer("406 Not Acceptable") }
        return try? Act.gzipped(Array(air.text().utf8), type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      try Self.expectNothing(station)
      #expect(station.listCount >= 8)
    }
  }

  @Test("a list that unpacks to more than twenty times its size is no list (H7)")
  func bomb() async throws {
    try await Stage.run(speed: 8) {
      let asked = Locked(0)
      let bomb = try Act.gzipped(Array("#EXTM3U\n".utf8) + [UInt8](repeating: 0x23, count: 8 << 20))
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard request == .list else { return nil }
        let isBomb = asked.withLock {
          $0 += 1
          return $0 % 2 == 0
        }
        return isBomb ? bomb : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 40)
      #expect(bench.reasons.first?.contains("does not answer as a web server") == true, "\(bench.reasons)")
      #expect(bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero && $0.overlap == .zero })
    }
  }

  @Test("a list is asked for under the name that its server gave it", arguments: ["ETag", "Last-Modified"])
  func conditional(_ header: String) async throws {
    let question = header == "ETag" ? "If-None-Match" : "If-Modified-Since"
    try await Stage.run(speed: 8) {
      let same = Locked(0)
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        // Two segments come at a time, so that it is the same every other time.
        let count = air.count / 2 * 2
        let name = header == "ETag" ? "W/\"list \(count)\"" : "Tue, 24 Nov 2026 04:10:\(count + 10) GMT"
        guard visit.header(question) == name else { return air.list(to: count, headers: ["\(header): \(name)"]) }
        same.withLock { $0 += 1 }
        return Act.answer("304 Not Modified")
      }
      defer { station.close() }
      try Self.expectNothing(station, seconds: 60)
      #expect(same.withLock { $0 } > 0)
    }
  }

  @Test("a list that stays as it is is asked for beside, past any cache (H3)")
  func staleCopy() async throws {
    try await Stage.run(speed: 8) {
      let (kept, fresh) = (Locked<Int?>(nil), Locked(0))
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        guard visit.header("Cache-Control") == "no-cache" else {
          // A cache gives out what it had first, until somebody asks past it.
          return air.list(
            to: kept.withLock { count in
              count = count ?? air.count
              return count
            })
        }
        fresh.withLock { $0 += 1 }
        kept.withLock { $0 = air.count }
        return nil
      }
      defer { station.close() }
      try Self.expectNothing(station)
      #expect(fresh.withLock { $0 } >= 3)
    }
  }
}
