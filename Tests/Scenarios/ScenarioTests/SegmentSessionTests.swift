import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// HLS stations whose master list issues sessions, and stations that refuse all audio.
@Suite struct SegmentSessionTests {
  private static let clip = Clip.long(400)
  private static let master = "application/vnd.apple.mpegurl"

  /// The sessions of a station: each is over `life` seconds after its start.
  private final class Sessions: Sendable {
    let starts = Locked<[Double]>([])
    let life: Double

    init(life: Double) { self.life = life }

    func issue() -> [StationAction] {
      let number = starts.withLock { starts in
        starts.append(monotonicSeconds())
        return starts.count - 1
      }
      let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.34\"\n/s\(number)/live.m3u8\n"
      return StationAction.response("200 OK", text, type: SegmentSessionTests.master)
    }

    func isOver(_ path: String) -> Bool {
      guard let number = Int(path.dropFirst(2).prefix { $0 != "/" }) else { return true }
      return starts.withLock { !$0.indices.contains(number) || monotonicSeconds() - $0[number] > life }
    }
  }

  @Test(
    "A session that is over is replaced by the master list while audio is buffered",
    arguments: [("410 Gone", 4.0, true), ("403 No", 2, true), ("404 No", 10, true), ("403 No", 4, false)])
  func renewed(_ status: String, _ length: Double, _ refusesSegments: Bool) async throws {
    try await Stage.run(speed: 8) {
      let sessions = Sessions(life: 6.5 * length)
      let station = try SegmentedStation(Self.clip, length: length) { visit, request, _ in
        if visit.path == "/master.m3u8" { return sessions.issue() }
        guard request == .list || refusesSegments else { return nil }
        return sessions.isOver(visit.path) ? StationAction.response(status) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/master.m3u8"))
      #expect(bench.waitForConnection())
      var least = Double.infinity
      _ = bench.run(240) {
        least = min(least, bench.ahead)
        return bench.written >= 25 * length
      }
      SegmentTests.expectWhole(bench, station, seconds: 25 * length)
      #expect(least > 0, "audio is buffered at any time")
      let count = sessions.starts.withLock { $0.count }
      #expect((3...6).contains(count), "\(count) sessions")
    }
  }

  @Test("A segment that is refused although the session lives asks the master list once in 5 s at most")
  func foreverRefused() async throws {
    try await Stage.run(speed: 8) {
      let sessions = Sessions(life: 10_000)
      let station = try SegmentedStation(Self.clip) { visit, request, air in
        if visit.path == "/master.m3u8" { return sessions.issue() }
        return request == .segment(8) || request == .segment(12) ? StationAction.response("403 Forbidden") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/master.m3u8"))
      #expect(bench.run(200) { bench.written >= 40 })
      let starts = sessions.starts.withLock { $0 }
      #expect(starts.count <= 5, "\(starts)")
      #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 >= 4.9 })
    }
  }

  @Test(
    "A station that refuses all its audio is reported with the status within 10 s and ten requests",
    arguments: [
      ("segment", "404 Not Found"), ("segment", "403 Forbidden"), ("key", "404 Not Found"), ("map", "410 Gone"),
    ])
  func refusesAll(_ part: String, _ status: String) async throws {
    try await Stage.run(speed: 8) {
      let extra = ["key": "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n", "map": "#EXT-X-MAP:URI=\"init.mp4\"\n"]
      for hasEnd in [true, false] {
        let station = try SegmentedStation(Self.clip, header: extra[part] ?? "") { _, request, air in
          if request == .list { return air.list(tail: hasEnd ? "#EXT-X-ENDLIST\n" : "") }
          return StationAction.response(status)
        }
        defer { station.close() }
        let bench = try NetBench()
        let began = monotonicSeconds()
        bench.tune(station.url)
        #expect(bench.run(30) { bench.finalFault != nil }, "\(bench.faults.map(\.sentence))")
        #expect(monotonicSeconds() - began <= 10.5)
        #expect(station.server.visits.count <= 10, "\(station.server.visits.map(\.path))")
        #expect(bench.finalFault?.sentence.contains("(\(status.prefix(3)))") == true, "\(bench.finalFault as Any)")
      }
    }
  }

  @Test("A live list without segments is reported within 10 s")
  func emptyList() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, _, air in air.list(to: 0) }
      defer { station.close() }
      let bench = try NetBench()
      let began = monotonicSeconds()
      bench.tune(station.url)
      #expect(bench.run(30) { bench.finalFault != nil }, "\(bench.faults.map(\.sentence))")
      #expect(monotonicSeconds() - began <= 10.5)
      #expect(bench.finalFault?.sentence.contains("no new audio for 8 s") == true, "\(bench.finalFault as Any)")
      #expect(station.server.visits.count <= 10)
    }
  }
}
