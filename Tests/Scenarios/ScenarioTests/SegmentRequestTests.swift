import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct SegmentRequestTests {
  private static let clip = Clip.long(400)

  /// Expects the complete programme for some seconds, without a report.
  private static func expectNothing(_ station: SegmentedStation, seconds: Double = 40) throws {
    let bench = try NetBench()
    bench.tune(station.url)
    SegmentTests.expectWhole(bench, station, seconds: seconds)
    #expect(bench.reasons.isEmpty && bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
  }

  @Test("Connections are reused for the next requests")
  func kept() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, keepsConnections: true)
      defer { station.close() }
      try Self.expectNothing(station)
      let visits = station.server.visits
      // The radio closes the first connection, because its response may be an endless stream.
      #expect(visits.count { $0.requestNumber == 0 } <= 3 && visits.count > 15, "\(visits.map(\.requestNumber))")
    }
  }

  @Test("A list may arrive gzipped")
  func gzipped() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        guard visit.header("Accept-Encoding") == "gzip" else { return StationAction.response("406 Not Acceptable") }
        return try? StationAction.gzipped(Array(air.text().utf8), type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      try Self.expectNothing(station)
      #expect(station.listCount >= 8)
    }
  }

  @Test("A list that unpacks to more than twenty times its size is refused (H7)")
  func bomb() async throws {
    try await Stage.run(speed: 8) {
      let asked = Locked(0)
      let bomb = try StationAction.gzipped(Array("#EXTM3U\n".utf8) + [UInt8](repeating: 0x23, count: 8 << 20))
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

  /// Nested gzip data without content, which is slow to unpack.
  private static func layers(_ count: Int) throws -> [UInt8] {
    let empty = (0..<(1 << 20)).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
    var packed = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + empty
    for _ in 1..<count { packed = try Compression.gzip(packed) }
    return packed
  }

  private static let layered: [(String, [String])] = [
    ("200 OK", ["Content-Encoding: gzip", "Content-Encoding: gzip", "Content-Encoding: gzip"]),
    ("200 OK", ["Content-Encoding: gzip, gzip, gzip"]), ("401 No", ["Content-Encoding: gzip, gzip, gzip"]),
    ("200 OK", ["Transfer-Encoding: gzip", "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked"]),
    ("200 OK", ["Transfer-Encoding: gzip"]), ("404 No", ["Transfer-Encoding: gzip, gzip"]),
  ]

  @Test("Nested compression is not unpacked, in lists and segments (H7)", arguments: layered, [0, 1])
  func unpacked(_ head: (String, [String]), place: Int) async throws {
    let body = try Self.layers(3)
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation { visit in
        if visit.path == "/live.m3u8", place == 1 {
          let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n"
            + (0..<9).map { "#EXTINF:4,\n/\($0).m3u8\n" }.joined() + "#EXT-X-ENDLIST\n"
          return StationAction.response("200 OK", list, type: "application/vnd.apple.mpegurl")
        }
        return [.head(head.0, head.1 + ["Connection: close"]), .send(body)]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live.m3u8"))
      #expect(bench.run(60) { !bench.faults.isEmpty }, "\(station.visits.map(\.path))")
      let other = try ScriptedStation(StationAction.onAir(Clip.long(20)))
      defer { other.close() }
      bench.tune(other.url())
      #expect(bench.run(20) { bench.written > 3 })
    }
  }

  @Test("Credentials in the address go to the list's own host only (R1.8)")
  func ownAddress() async throws {
    try await Stage.run(speed: 8) {
      let foreign = try ScriptedStation { _ in StationAction.response("404 No") }
      defer { foreign.close() }
      let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nb.m3u8\n"
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        if visit.header("Authorization") == nil { return StationAction.response("401 No") }
        if visit.path == "/live.m3u8" {
          return StationAction.response("200 OK", master, type: "application/vnd.apple.mpegurl")
        }
        guard request == .list else { return nil }
        let far = "#EXTINF:4,\n\(foreign.url("/far.mp3", host: "localhost"))\n"
        return air.list(tail: air.count % 3 == 0 ? far : "")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url.replacing("http://", with: "http://me:secret@"))
      #expect(bench.run(60) { bench.written > 20 && !foreign.visits.isEmpty }, "\(bench.faults.map(\.sentence))")
      #expect(foreign.visits.allSatisfy { $0.header("Authorization") == nil })
    }
  }

  @Test("A list is requested with its validator", arguments: ["ETag", "Last-Modified"])
  func conditional(_ header: String) async throws {
    let question = header == "ETag" ? "If-None-Match" : "If-Modified-Since"
    try await Stage.run(speed: 8) {
      let same = Locked(0)
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        // Lists grow by two segments, so every second list is unchanged.
        let count = air.count / 2 * 2
        let name = header == "ETag" ? "W/\"list \(count)\"" : "Tue, 24 Nov 2026 04:10:\(count + 10) GMT"
        guard visit.header(question) == name else { return air.list(to: count, headers: ["\(header): \(name)"]) }
        same.withLock { $0 += 1 }
        return StationAction.response("304 Not Modified")
      }
      defer { station.close() }
      try Self.expectNothing(station, seconds: 60)
      #expect(same.withLock { $0 } > 0)
    }
  }

  @Test("An unchanged list is requested once more past any cache (H3)")
  func staleCopy() async throws {
    try await Stage.run(speed: 8) {
      let (kept, fresh) = (Locked<Int?>(nil), Locked(0))
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        guard request == .list else { return nil }
        guard visit.header("Cache-Control") == "no-cache" else {
          // Simulates a cache that returns its first list, unless a request bypasses the cache.
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
