import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// The return from a lower bit rate.
@Suite struct LowBandwidthReturnTests {
  /// True if this machine delayed the stations, so that a connection seemed silent.
  private static func isLate(_ line: SlowLine) -> Bool {
    max(line.main.maxThreadDelay, line.lower.maxThreadDelay) > 0.5
  }

  /// Tunes to the high bit rate, and returns the bench once the slow line needs the low one.
  private static func changeToLower(_ line: SlowLine) throws -> NetBench {
    let bench = try NetBench()
    bench.tune(line.main.url()) {
      $0.alternatives = [AlternativeAddress(url: StationAddress(line.lower.url()))]
    }
    bench.run(for: 12)
    bench.setRefilling(true)
    #expect(bench.run { line.lower.visits.count == 1 })
    bench.setRefilling(false)
    return bench
  }

  @Test("The better source returns within 11 minutes of a good line, without a lost packet (F6)")
  func wayBack() async throws {
    try await Stage.run(speed: 16) {
      var plan = SlowLine.Plan()
      (plan.duration, plan.laps) = (30, 8)
      let line = try SlowLine(plan)
      defer { line.close() }
      let bench = try Self.changeToLower(line)
      func changes() -> [LowerRate?] {
        bench.notices.compactMap { if case .lowerRate(let change) = $0.notice { change } else { nil } }
      }
      #expect(bench.run { changes() == [LowerRate(from: "128 kbit/s", to: "64 kbit/s")] })
      let good = line.main.visits[0].time + 34
      #expect(bench.run(690) { changes().count == 2 })
      #expect(changes().last == .some(nil) && monotonicSeconds() - good < 660)
      // The first visit, the measurement, and the connection that plays.
      #expect(Self.isLate(line) || line.main.visits.count == 3 && line.lower.visits.count == 1)
      bench.run(for: 10)
      #expect(bench.facts?.toldBitRate == 128_000 && bench.ahead > 0)
      #expect(Self.isLate(line) || bench.reasons.isEmpty && bench.faults.isEmpty)
    }
  }

  @Test("On a line that stays slow the lower bit rate plays on, and the better source is tried every ten minutes")
  func slow() async throws {
    try await Stage.run(speed: 16) {
      var plan = SlowLine.Plan()
      (plan.duration, plan.laps) = (800, 8)
      let line = try SlowLine(plan)
      defer { line.close() }
      let bench = try Self.changeToLower(line)
      #expect(bench.run(640) { line.main.visits.count == 2 })
      #expect(line.main.visits[1].time - line.lower.visits[0].time > 599)
      bench.run(for: 30)
      #expect(Self.isLate(line) || line.main.visits.count == 2 && line.lower.visits.count == 1)
      #expect(bench.facts?.toldBitRate == 64_000 && bench.ahead > 0)
    }
  }
}
