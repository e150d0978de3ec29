import MediaSupport
import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Stations whose address redirects to several servers (R4.2).
@Suite struct EdgeTests {
  private static let clip = Clip.long(90)

  @Test("A lost connection is replaced at the server that played, whose audio joins without a trace")
  func sameEdge() async throws {
    try await Stage.run(speed: 4) {
      let (near, far) = (Broadcast(Self.clip, burst: 8), Broadcast(Self.clip.from(800), burst: 2))
      let count = Locked(0)
      let station = try ScriptedStation { visit in
        if visit.path == "/live" {
          let number = count.withLock {
            $0 += 1
            return $0
          }
          return StationAction.redirect("/edge/\(number)")
        }
        guard visit.path == "/edge/1" else { return [.live()] + far.actions(visit) }
        return [.live()] + (visit.number == 1 ? near.actions(visit, for: 10) + [.reset] : near.actions(visit))
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live"))
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero)
      bench.run(for: 5)
      #expect(station.visits.map(\.path) == ["/live", "/edge/1", "/edge/1"])
      #expect(difference(bench.readBytes, beginningOf: Self.clip.bytes) == nil)
    }
  }

  @Test(
    "A server that refuses the retry is left for the station's own address", arguments: ["403 Forbidden", "503 Busy"])
  func otherEdge(_ status: String) async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(Self.clip, burst: 8)
      let count = Locked(0)
      let station = try ScriptedStation { visit in
        if visit.path == "/live" {
          let number = count.withLock {
            $0 += 1
            return $0
          }
          return StationAction.redirect("/edge/\(number)")
        }
        if visit.path == "/edge/2" { return [.live()] + broadcast.actions(visit) }
        if visit.number > 1 { return StationAction.response(status) }
        return [.live()] + broadcast.actions(visit, for: 10) + [.reset]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live"))
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero)
      #expect(station.visits.map(\.path) == ["/live", "/edge/1", "/edge/1", "/live", "/edge/2"])
    }
  }
}
