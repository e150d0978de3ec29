import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Lists whose redirects use up the budget of requests (H3, H7).
@Suite struct SegmentBudgetTests {
  private static let clip = Clip.long(120)

  /// Redirects a list three times. `headers`: of each redirect. `lifetime`: seconds after which the target is gone.
  /// `delay`: seconds before each redirect.
  private static func station(
    headers: [String] = [], lifetime: Double = 1_000, delay: Double = 0
  ) throws -> SegmentedStation {
    try SegmentedStation(clip, length: 1, aired: 12, window: 6) { visit, request, air in
      guard request == .list else { return nil }
      func redirect(_ path: String) -> [StationAction] {
        [.wait(delay)] + StationAction.response("302 Found", headers: ["Location: \(path)"] + headers)
      }
      switch visit.path.split(separator: "?").first {
      case "/live.m3u8": return redirect("/one.m3u8")
      case "/one.m3u8": return redirect("/two.m3u8")
      case "/two.m3u8": return redirect("/edge.m3u8?at=\(monotonicSeconds())")
      default:
        let began = visit.path.split(separator: "=").last.flatMap { Double($0) } ?? 0
        return monotonicSeconds() - began > lifetime ? StationAction.response("410 Gone") : air.list()
      }
    }
  }

  private static func expectSound(_ station: SegmentedStation, seconds: Double = 40) throws -> NetBench {
    let bench = try NetBench()
    bench.tune(station.url)
    let isThere = bench.run(120) { bench.written >= seconds }
    bench.readAll()
    // The start depends on the time of the first list.
    let isWhole = (9...12).contains { station.bytes($0..<200).starts(with: bench.readBytes) }
    #expect(isThere && isWhole, "\(bench.written) s came")
    #expect(bench.reasons.isEmpty && bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.reasons)")
    return bench
  }

  @Test("A list of one-second segments with three redirects starves no segment", arguments: ["no-store", "max-age=3"])
  func unremembered(control: String) async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station(headers: ["Cache-Control: \(control)"])
      defer { station.close() }
      _ = try Self.expectSound(station)
    }
  }

  @Test("Redirects that may not be stored cause no underrun (H3)", arguments: [0, 0.3])
  func unstoredSound(delay: Double) async throws {
    try await Stage.run(speed: 2) {
      let station = try Self.station(headers: ["Cache-Control: no-store"], delay: delay)
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url)
      #expect(rig.run(60) { rig.radio.status.heard >= 20 }, "\(rig.names)")
      #expect(rig.holdsUnlessLate(!rig.names.contains("underrun")), "\(rig.names)")
    }
  }

  @Test("A followed redirect is remembered: later lists cost one request")
  func remembered() async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station()
      defer { station.close() }
      _ = try Self.expectSound(station)
      let paths = station.server.visits.map { String($0.path.prefix { $0 != "?" }) }
      #expect(paths.count { $0 == "/live.m3u8" } <= 8, "\(paths)")
      #expect(paths.count { $0 == "/edge.m3u8" } >= 15)
    }
  }

  @Test("A failed target of remembered redirects is replaced at once, without a gap", arguments: ["", "max-age=600"])
  func expired(control: String) async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station(headers: control.isEmpty ? [] : ["Cache-Control: \(control)"], lifetime: 7)
      defer { station.close() }
      _ = try Self.expectSound(station)
      #expect(station.server.visits.count { $0.path == "/live.m3u8" } >= 4)
    }
  }
}
