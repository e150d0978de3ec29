import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// HLS stations that cause endless requests.
@Suite struct HostileSegmentTests {
  private static let clip = Clip.long(400)

  struct Hostility: Sendable, CustomStringConvertible {
    var description: String
    /// Playlist text; the argument is the number of earlier requests.
    var list: @Sendable (Int) -> String
    var segment: @Sendable (Int) -> [StationAction]
    var redirects = 0
  }

  private static let packets = clip.packets

  private static func packet(_ number: Int) -> [StationAction] {
    StationAction.file(packets[number % packets.count].bytes)
  }

  private static func text(_ target: String, _ numbers: Range<Int>, _ length: String, _ name: String = "") -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n"
      + numbers.map { "#EXTINF:\(length),\n\(name.isEmpty ? "/\($0).mp3" : name)\n" }.joined()
  }

  private static let many = String(repeating: "#EXTINF:0.001,\n/1.mp3\n", count: 20_000)

  private static let cases = [
    Hostility(description: "segments of 26 ms", list: { text("1", $0 * 40..<$0 * 40 + 400, "0.026") }, segment: packet),
    Hostility(description: "targets of 1 ms", list: { text("0.001", $0..<$0 + 3, "0.001") }, segment: packet),
    Hostility(description: "no durations", list: { text("0", $0 * 9..<$0 * 9 + 800, "0") }, segment: packet),
    Hostility(
      description: "twenty thousand segments",
      list: { "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\($0)0000\n" + many }, segment: packet),
    Hostility(
      description: "segments that are the list", list: { text("1", $0..<$0 + 500, "1", "/live.m3u8?\($0)") },
      segment: packet),
    Hostility(description: "segments that are empty", list: { text("1", $0..<$0 + 500, "1") }) { _ in
      StationAction.file([])
    },
    Hostility(description: "segments that are not there", list: { text("1", $0..<$0 + 500, "0.1") }) { _ in
      StationAction.response("404 Not Found")
    },
    Hostility(description: "segments that lead in a circle", list: { text("1", $0..<$0 + 500, "0.1") }) { number in
      StationAction.response("302 Found", headers: ["Location: /\(number).mp3"])
    },
    Hostility(
      description: "a list of variants that names itself",
      list: { "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n/live.m3u8?\($0)\n" }, segment: packet),
    Hostility(
      description: "lines of 2 MB",
      list: {
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1," + String(repeating: "x", count: 2 << 20) + "\n/\($0).mp3\n"
      },
      segment: packet),
    Hostility(
      description: "a list behind ten redirects",
      list: { "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\($0)\n#EXT-X-GAP\n#EXTINF:1,\n/1.mp3\n" },
      segment: packet, redirects: 10),
    Hostility(
      description: "a list of segments behind ten redirects", list: { text("1", $0..<$0 + 3, "1") },
      segment: packet, redirects: 10),
    Hostility(
      description: "a sequence that goes back", list: { text("1", 5_000 - $0 * 100..<5_003 - $0 * 100, "0.1") },
      segment: packet),
    Hostility(
      description: "a key for each segment",
      list: { asked in
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(asked)\n"
          + (asked..<asked + 500).map {
            "#EXT-X-KEY:METHOD=AES-128,URI=\"/\($0).mp3?key\"\n#EXTINF:0.1,\n/\($0).mp3\n"
          }.joined()
      }, segment: { _ in StationAction.file([UInt8](repeating: 7, count: 16)) }),
  ]

  @Test("Any list causes fewer than four requests a second (H7)", arguments: cases)
  func requests(_ hostility: Hostility) async throws {
    try await Stage.run(speed: 4) {
      let asked = Locked(0)
      let station = try ScriptedStation { visit in
        let depth = visit.path.count { $0 == "r" }
        if hostility.redirects > depth, visit.path.hasPrefix("/live.m3u8") {
          return StationAction.redirect(visit.path + "r")
        }
        if visit.path.hasPrefix("/live.m3u8") {
          let count = asked.withLock {
            $0 += 1
            return $0
          }
          return StationAction.response("200 OK", hostility.list(count), type: "application/vnd.apple.mpegurl")
        }
        return hostility.segment(Int(visit.path.dropFirst().prefix { $0.isNumber }) ?? 0)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live.m3u8"))
      let began = monotonicSeconds()
      bench.run(for: 30)
      let seconds = monotonicSeconds() - began
      let count = station.visits.count
      #expect(Double(count) < 4 * seconds && count >= 2, "\(count) in \(seconds) s: \(bench.reasons)")
    }
  }
}
