import Foundation
import System
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// The delays between connections to a broker (M2).
@Suite struct LinkRetryTests {
  @Test("A broker that hangs up is tried less and less often; after a connection of 10 s, at once again (M2)")
  func delays() async throws {
    try await Stage.run(speed: 10) {
      let clock = TestClock.current.clock
      // Times of the visits, and of the end of the long visit.
      let times = Locked<(visits: [Double], end: Double)>(([], 0))
      let fake = try FakeBroker { descriptor in
        let number = times.withLock { times in
          times.visits.append(clock.now().seconds)
          return times.visits.count
        }
        FakeBroker.acceptClient(descriptor)
        guard number == 6 else { return }
        let end = clock.now() + Duration(milliseconds: 12_000)
        while clock.now() < end { usleep(5_000) }
        times.withLock { $0.end = clock.now().seconds }
      }
      defer { fake.close() }
      let link = try HomeLink(Broker(host: "127.0.0.1", port: UInt16(fake.port)), Samples.identity, clock)
      link.post(RadioSnapshot())
      let limit = ProcessInfo.processInfo.systemUptime + 60
      while times.withLock({ $0.visits.count < 7 }), ProcessInfo.processInfo.systemUptime < limit { usleep(5_000) }
      let (visits, end) = times.withLock { $0 }
      link.stop()
      link.finish(within: Duration(milliseconds: 1_000))
      try #require(visits.count >= 7)
      let gaps = zip(visits, visits.dropFirst()).map { $1 - $0 }
      for (gap, least) in zip(gaps, [1.0, 2, 4, 8, 16]) { #expect(gap >= least - 0.1, "\(gaps)") }
      // Without the proof of 10 s the delay would be 32 s.
      #expect(visits[6] - end < 30, "\(visits[6] - end)")
    }
  }
}
