import Testing
import Units

@testable import Network

/// When a lost connection is tried again (R4.1, R4.3), on a clock that is only counted.
struct ReconnectPolicyTests {
  /// The pauses before the next tries, each of which fails at once.
  private func pauses(_ count: Int, seed: UInt64 = 1) -> [Double] {
    var policy = ReconnectPolicy(seed: seed)
    var now = MonotonicTime(seconds: 1_000)
    policy.tries(at: now)
    return (0..<count).map { _ in
      let next = policy.next(after: now)
      defer {
        now = next
        policy.tries(at: now)
      }
      return (next - now).seconds
    }
  }

  @Test func triesComeEverySecondForTwoMinutes() {
    #expect(pauses(120).allSatisfy { $0 == 1 })
  }

  @Test("After two minutes tries come further and further apart, up to half a minute", arguments: [1, 2, 3])
  func growsApart(_ seed: UInt64) {
    let late = pauses(600, seed: seed).dropFirst(120)
    for (index, pause) in late.enumerated() {
      let least = Double(min(30, index + 2))
      #expect(pause >= least && pause < least + 1.024, "try \(121 + index)")
    }
    #expect(Set(late.suffix(100)).count > 50, "stations are not asked by all radios at the same moment")
  }

  @Test func whatHasPlayedForLongIsTriedAtOnce() {
    var policy = ReconnectPolicy(seed: 1)
    policy.tries(at: MonotonicTime(seconds: 10))
    let now = MonotonicTime(seconds: 5_000)
    #expect(policy.next(after: now) == now)
    #expect(policy.attempt == 1)
  }

  @Test func audioBeginsTheScheduleAnew() {
    var policy = ReconnectPolicy(seed: 1)
    var now = MonotonicTime.zero
    for _ in 0..<200 {
      policy.tries(at: now)
      now = policy.next(after: now)
    }
    policy.tries(at: now)
    policy.succeeded()
    #expect(policy.attempt == 0)
    #expect(policy.next(after: now) == now + MonotonicTime(seconds: 1))
    #expect(policy.attempt == 1)
  }

  @Test("A server's wish is heeded where it is the longer", arguments: [(0, 1), (1, 1), (2, 2), (300, 300)])
  func retryAfter(_ wish: Double, _ pause: Double) {
    var policy = ReconnectPolicy(seed: 1)
    let now = MonotonicTime(seconds: 100)
    policy.tries(at: now)
    #expect(policy.next(after: now, atLeast: MonotonicTime(seconds: wish)) == now + MonotonicTime(seconds: pause))
  }
}
