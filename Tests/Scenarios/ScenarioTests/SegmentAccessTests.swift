import Network
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Access to HLS stations: cookies, refusals and encryption.
@Suite struct SegmentAccessTests {
  private static let clip = Clip.long(400)

  private static func master(_ paths: [String], headers: [String] = []) -> [StationAction] {
    let entries = paths.map { "#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS=\"mp4a.40.34\"\n\($0)\n" }
    let text = "#EXTM3U\n" + entries.joined()
    return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl", headers: headers)
  }

  @Test("A cookie of a redirect or of a master list opens lists and segments (R1.11)", arguments: [false, true])
  func cookies(isRedirected: Bool) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, _, _ in
        let cookie = "Set-Cookie: tok=a1; path=/; HttpOnly"
        if visit.path == "/start.m3u8" {
          if !isRedirected { return Self.master(["/low/live.m3u8"], headers: [cookie]) }
          return StationAction.response("302 Found", headers: ["Location: /low/live.m3u8", cookie])
        }
        return visit.header("Cookie")?.contains("tok=a1") == true ? nil : StationAction.response("403 Forbidden")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/start.m3u8"))
      SegmentTests.expectWhole(bench, station, seconds: 40)
      #expect(bench.reasons.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
    }
  }

  @Test("A segment that its server does not have yet is late, and starts no session (H3)")
  func late() async throws {
    try await Stage.run(speed: 8) {
      let (masters, refused) = (Locked(0), Locked<Set<Int>>([]))
      let station = try SegmentedStation(Self.clip) { visit, request, _ in
        if visit.path == "/master.m3u8" {
          masters.withLock { $0 += 1 }
          return Self.master(["/live.m3u8"])
        }
        guard case .segment(let number) = request, number > 4 else { return nil }
        return refused.withLock { $0.insert(number).inserted } ? StationAction.response("404 Not Found") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/master.m3u8"))
      SegmentTests.expectWhole(bench, station, seconds: 40)
      #expect(masters.withLock { $0 } == 1 && bench.reasons.isEmpty && bench.stitches.isEmpty)
    }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var variantCount = 1
    /// True if the media lists are refused, not their segments.
    var refusesLists = false
  }

  static let refusals = [
    Refusal(testDescription: "segments of one variant", variantCount: 1),
    Refusal(testDescription: "segments of eight variants", variantCount: 8),
    Refusal(testDescription: "media lists", variantCount: 30, refusesLists: true),
  ]

  @Test(
    "A station that refuses its audio ends within 10 s and 10 requests, with the status (R4.3)", arguments: refusals)
  func refused(_ refusal: Refusal) async throws {
    try await Stage.run(speed: 4) {
      let station = try SegmentedStation(Self.clip) { visit, request, _ in
        if visit.path == "/master.m3u8" { return Self.master((0..<refusal.variantCount).map { "/live.m3u8?\($0)" }) }
        return refusal.refusesLists || request != .list ? StationAction.response("404 Not Found") : nil
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.server.url("/master.m3u8"))
      #expect(rig.playOut(within: 10))
      #expect(rig.radio.failure?.sentence.contains("(404)") == true, "\(String(describing: rig.radio.failure))")
      #expect(station.server.visits.count <= 10, "\(station.server.visits.map(\.path))")
    }
  }

  @Test("A station whose later segments cannot be decrypted plays the others, and says so (R1.12)")
  func encryptedHalf() async throws {
    try await Stage.run(speed: 4) {
      let station = try SegmentedStation(Self.clip, aired: 8) { _, request, air in
        guard request == .list else { return nil }
        let text = air.text(to: 8).replacing(
          "#EXTINF:4.0,\n6.mp3", with: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:4.0,\n6.mp3")
        return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url)
      #expect(rig.playOut(within: 20))
      #expect(rig.radio.failure?.cause == .encryptedHls)
      #expect(station.server.visits.count <= 10)
      #expect(rig.pcm.count > 3 * 176_400)
    }
  }
}
