import Testing
import Units

@testable import Http
@testable import Network

/// The schedule of R4.1, an hour at a time.
@Suite struct ReconnectPolicyTests {
  /// Times of all attempts within `seconds`, for a station that never responds.
  private static func tries(
    _ policy: inout ReconnectPolicy, from start: Double = 100, for seconds: Double
  ) -> [Double] {
    var (now, tries) = (MonotonicTime(seconds: start), [Double]())
    while true {
      let next = policy.next(after: now)
      guard next.seconds < start + seconds else { return tries }
      tries.append(next.seconds)
      policy.recordTry(at: next)
      now = next + Duration(milliseconds: 3)
    }
  }

  @Test(
    "Retries come at once, every second for two minutes, then up to 30 s apart (R4.1)", arguments: [1, 7, 99])
  func schedule(seed: UInt64) {
    var policy = ReconnectPolicy(seed: seed)
    policy.recordTry(at: MonotonicTime(seconds: 40))
    let tries = Self.tries(&policy, for: 3_600)
    #expect(tries[0] == 100)
    let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
    #expect(pauses.prefix(119).allSatisfy { $0 == 1 })
    let late = pauses.dropFirst(120)
    #expect(late.allSatisfy { $0 > 1.7 && $0 <= 30 })
    #expect(late.dropFirst(40).allSatisfy { $0 >= 27 })
    #expect(Set(late.suffix(20).map { Int($0 * 1_000) }).count > 10, "no two stations' listeners come together")
    #expect(policy.attempt == tries.count + 1)
  }

  @Test(
    "A station lost every few seconds is retried at once for hours, and again afterwards",
    arguments: [
      // Seconds of audio and of silence.
      (6.0, 0.3, true), (6, 5, true), (2, 2, true), (2, 2.1, false), (1.9, 0.1, false), (0.1, 0.9, false),
      (0, 1, false),
    ])
  func unstable(audio: Double, silence: Double, isGood: Bool) {
    for isLate in [false, true] {
      var policy = ReconnectPolicy(seed: 1)
      if isLate { _ = Self.tries(&policy, for: 1_000) }
      var (now, pauses) = (MonotonicTime(seconds: 2_000), [Double]())
      policy.recordTry(at: now)
      for _ in 0..<2_000 {
        now = now + Duration(seconds: audio + silence)
        if ReconnectPolicy.wasGood(for: Duration(seconds: audio), of: Duration(seconds: audio + silence)) {
          policy.restartEagerPhase()
        }
        let next = policy.next(after: now)
        pauses.append((next - now).seconds)
        policy.recordTry(at: next)
        now = next
      }
      #expect(pauses.allSatisfy { $0 <= 1 } == isGood, "\(pauses.suffix(10))")
      #expect(isGood || pauses.suffix(100).allSatisfy { $0 > 20 })
    }
  }

  @Test func neverTwiceWithinASecond() {
    var policy = ReconnectPolicy(seed: 1)
    policy.recordTry(at: MonotonicTime(seconds: 10))
    #expect(policy.next(after: MonotonicTime(seconds: 10.2)).seconds == 11)
    #expect(policy.soonest(after: MonotonicTime(seconds: 10.3)).seconds == 11)
    #expect(policy.soonest(after: MonotonicTime(seconds: 12)).seconds == 12)
  }

  @Test func whatTheServerAsksForIsHonoured() {
    var policy = ReconnectPolicy(seed: 1)
    let now = MonotonicTime(seconds: 10)
    #expect(policy.next(after: now, notBefore: MonotonicTime(seconds: 25)).seconds == 25)
    #expect(policy.next(after: now, notBefore: MonotonicTime(seconds: 5)).seconds == 10)
  }

  @Test("Audio, or another network, resets the schedule", arguments: [true, false])
  func beginsAnew(isAudio: Bool) {
    var policy = ReconnectPolicy(seed: 1)
    _ = Self.tries(&policy, for: 1_000)
    let count = policy.attempt
    isAudio ? policy.recordSuccess() : policy.restartEagerPhase()
    #expect(policy.attempt == (isAudio ? 0 : count))
    let tries = Self.tries(&policy, from: 2_000, for: 100)
    #expect(tries.count == 100)
    // After the eager attempts, the delay starts at two seconds again.
    let late = Self.tries(&policy, from: 2_100, for: 30)
    #expect(late.count > 21)
  }
}

/// Limits for lists; needs no real time.
@Suite struct ListBudgetTests {
  private static func seconds(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: seconds) }

  @Test("32 lists may be opened, and 30 s may pass between request and end")
  func spends() {
    var budget = ListBudget()
    for index in 0..<33 {
      #expect(!budget.isSpent(at: Self.seconds(100)))
      budget.begin(at: Self.seconds(100))
      budget.begin(at: Self.seconds(100))
      #expect(budget.isSpent(at: Self.seconds(100)) == (index == 32))
      budget.end(at: Self.seconds(100))
    }
    budget = ListBudget()
    for start in [100.0, 200, 300] {
      budget.begin(at: Self.seconds(start))
      #expect(!budget.isSpent(at: Self.seconds(start + 9)))
      #expect(budget.isSpent(at: Self.seconds(start + 13)) == (start == 300))
      budget.end(at: Self.seconds(start + 9))
    }
  }

  @Test("A list with a closed connection does not count")
  func forgets() {
    var budget = ListBudget()
    budget.begin(at: .zero)
    budget.cancelList()
    budget.cancelList()
    #expect(budget.count == 0)
    budget.begin(at: Self.seconds(3_600))
    #expect(budget.count == 1 && !budget.isSpent(at: Self.seconds(3_601)))
  }

  @Test("After a renewal six lists and 30 s are allowed", arguments: [1, 10, 33, 200])
  func renews(spent: Int) {
    var budget = ListBudget()
    for _ in 0..<spent {
      budget.begin(at: .zero)
      budget.end(at: Self.seconds(20))
    }
    budget.renew()
    for index in 0..<6 {
      budget.begin(at: Self.seconds(100 + Double(index) * 5))
      #expect(!budget.isSpent(at: Self.seconds(104 + Double(index) * 5)))
      budget.end(at: Self.seconds(104 + Double(index) * 5))
    }
    #expect(spent < 32 || !budget.allows(1))
  }
}

/// The queue of addresses from nested lists.
@Suite struct CandidatesTests {
  @Test("Nested lists queue at most a thousand addresses and half a megabyte")
  func bounded() throws {
    for length in [10, 2_000] {
      var candidates = Candidates(try WebAddress("http://radio.example/"))
      let folder = String(repeating: "x", count: length)
      for list in 0..<Candidates.maxDepth {
        let entries = try (0..<1_000).map {
          (address: try WebAddress("http://radio.example/\(folder)/\(list)/\($0)"), title: Optional("Part \($0)"))
        }
        let isOpen = candidates.open(entries)
        #expect(isOpen)
        #expect(candidates.current.address.url.unredacted.hasSuffix("/\(list)/0"), "the newest come first")
        #expect(candidates.waitingCount < Candidates.maxWaiting)
        #expect(candidates.waitingCount * length < Candidates.maxWaitingBytes)
      }
    }
  }

  @Test("A list's item counts as a list, the listener's address does not")
  func inheritedBudget() throws {
    let address = try WebAddress("http://radio.example/")
    var budget = ListBudget()
    for _ in 0...ListBudget.maxLists { budget.countFeed() }
    #expect(budget.isSpent(at: .zero))
    let referral = AddressOrigin(of: address, home: .global, from: address, isFeed: false)
    #expect(Candidates(address, referral, budget: budget).budget.isSpent(at: .zero))
    #expect(!Candidates(address, budget: budget).budget.isSpent(at: .zero))
  }
}
