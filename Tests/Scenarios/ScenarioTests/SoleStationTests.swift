import MediaSupport
import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Stations that allow one connection for each listener (R2.4).
@Suite struct SoleStationTests {
  private static let clip = Clip.long(120)

  /// Sends ten seconds, then five seconds after each silence of 4.5 s.
  private static func haltingActions() -> [StationAction] {
    let (second, bytes) = (Int(clip.byteRate), clip.bytes)
    let parts = (0..<6).map { round in
      let start = (10 + 5 * round) * second
      return [StationAction.wait(4.5), .send(Array(bytes[start..<start + 5 * second]))]
    }
    return [.live(), .send(Array(bytes[..<(10 * second)]))] + parts.joined() + [.stall]
  }

  @Test(
    "A station that refuses a second connection is asked for one no more, also when tuned again")
  func refuses() async throws {
    try await Stage.run(speed: 4) {
      let accepts = Locked(true)
      let station = try ScriptedStation { _ in
        let isFirst = accepts.withLock { accepts in
          defer { accepts = false }
          return accepts
        }
        return isFirst ? Self.haltingActions() : StationAction.response("403 Forbidden")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run(60) { bench.written >= 19 })
      let count = station.visits.count
      #expect((2...7).contains(count), "\(count) connections")
      #expect(bench.run(60) { bench.written >= 34 })
      #expect(station.visits.count == count)
      #expect(difference(bench.readBytes, beginningOf: Self.clip.bytes) == nil)
      accepts.withLock { $0 = true }
      bench.tune(station.url())
      #expect(bench.run(20) { station.visits.count > count })
      bench.run(for: 20)
      #expect(station.visits.count == count + 1)
    }
  }
}
