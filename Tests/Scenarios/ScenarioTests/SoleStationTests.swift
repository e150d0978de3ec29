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
    "After its first refusal of a second connection, a station gets no further one, also when tuned again")
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
      #expect(count == 2)
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

  @Test("After a second connection ended the first, a station gets no further one, also when tuned again")
  func drops() async throws {
    try await Stage.run(speed: 4) {
      let second = Gate()
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return [.live(), .send(Array(Self.clip.bytes[..<160_000])), .gate(second)] }
        // A spare that delivers before the end of the first connection replaces this connection, and proves nothing.
        return [.open(second), .wait(0.5)] + Self.haltingActions()
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run(60) { station.visits.count == 2 })
      #expect(bench.run(60) { bench.written >= 30 })
      #expect(station.visits.count == 2)
      bench.tune(station.url())
      #expect(bench.run(20) { station.visits.count == 3 })
      bench.run(for: 20)
      #expect(station.visits.count == 3)
    }
  }

  @Test("A station that refused a second connection is left for its next address")
  func alternative() async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(Self.clip, burst: 8)
      let main = try ScriptedStation { visit in
        if visit.number > 0 { return StationAction.response("403 Forbidden") }
        return [.live()] + broadcast.actions(visit, for: 8) + [.stall]
      }
      let mirror = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer {
        main.close()
        mirror.close()
      }
      let bench = try NetBench()
      bench.tune(main.url()) { $0.alternatives = [AlternativeAddress(url: StationAddress(mirror.url()))] }
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(bench.run { bench.written > 25 })
      #expect(main.visits.count == 2 && mirror.visits.count == 1)
    }
  }
}
