import Testing
import Units

@testable import Network

/// The time of a second connection.
@Suite struct SecondPlanTests {
  private static func moment(_ seconds: Double) -> MonotonicTime { .zero + Duration(seconds: seconds) }

  private static func plan(_ use: SecondSourceRule.Use) -> SecondPlan {
    var plan = SecondPlan()
    plan.begin(use, seed: 1)
    return plan
  }

  @Test(
    "Two failures within ten minutes lead to an hour with a second connection",
    arguments: [
      ([], 100, false), ([100], 101, false), ([100, 200], 200, true), ([100, 200], 3_799, true),
      ([100, 200], 3_800, false), ([100, 700], 700, true), ([100, 701], 702, false), ([100, 701, 1_000], 1_000, true),
      ([100, 200, 3_000], 6_500, false), ([100, 200, 3_000, 3_100], 6_699, true),
    ] as [([Double], Double, Bool)])
  func trouble(failures: [Double], time: Double, isWanted: Bool) {
    for use in SecondSourceRule.Use.allCases {
      var plan = Self.plan(use)
      for failure in failures { plan.recordFailure(at: Self.moment(failure)) }
      #expect(plan.isWanted(at: Self.moment(time)) == (use == .always || use == .onTrouble && isWanted))
    }
  }

  @Test("Tries are a second apart for two minutes, then up to 30 s; a requested delay is respected")
  func tries() {
    var plan = Self.plan(.always)
    var (now, count) = (10.0, 0)
    while now < 200 {
      plan.recordTry(at: Self.moment(now))
      plan.recordFailedTry(at: Self.moment(now + 0.2))
      count += 1
      let next = plan.nextTry
      #expect(next >= Self.moment(now + 1) && next <= Self.moment(now + 30))
      if now < 120 { #expect(next == Self.moment(now + 1)) }
      now = Double(next.nanoseconds) / 1e9
    }
    #expect(plan.failureCount == count)
    plan.recordSuccess()
    plan.recordTry(at: Self.moment(300))
    plan.recordFailedTry(at: Self.moment(300.5), delay: Duration(seconds: 60))
    #expect(plan.nextTry == Self.moment(360.5))
    plan.recordTry(at: Self.moment(400))
    plan.recordFailedTry(at: Self.moment(450))
    #expect(plan.nextTry == Self.moment(450))
  }

  @Test("A new programme starts without failures and without a delay")
  func begin() {
    var plan = Self.plan(.onTrouble)
    plan.recordFailure(at: Self.moment(1))
    plan.recordFailure(at: Self.moment(2))
    plan.recordTry(at: Self.moment(3))
    plan.recordFailedTry(at: Self.moment(3))
    plan.begin(.onTrouble, seed: 1)
    #expect(!plan.isWanted(at: Self.moment(4)) && plan.nextTry == .zero && plan.failureCount == 0)
  }
}
