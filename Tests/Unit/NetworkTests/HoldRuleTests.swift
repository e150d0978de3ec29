import Testing
import Units

@testable import Network

/// Buffer before the start, and the lead of a download (R2.2, R2.3).
@Suite struct HoldRuleTests {
  private func rule(live: Double, file: Double, bypass: Double, _ policy: HoldRule.StartPolicy) -> HoldRule {
    var rule = HoldRule()
    (rule.waitLive, rule.waitFile) = (StreamTime(seconds: live), StreamTime(seconds: file))
    (rule.throttleBypass, rule.policy) = (StreamTime(seconds: bypass), policy)
    return rule
  }

  @Test(
    "Start, refill, restart and download lead follow the rules, in seconds",
    arguments: [
      (10.0, 3.0, 0.0, HoldRule.StartPolicy.adaptive, true, [1.0, 7, 1, 20]),
      (10, 3, 0, .fixed, true, [10, 7, 1, 20]),
      (0.5, 3, 0, .adaptive, true, [0.5, 0.5, 0.5, 20]), (30, 3, 0, .fixed, true, [30, 7, 1, 30]),
      (10, 3, 0, .adaptive, false, [3, 3, 1, 3]), (10, 3, 0, .fixed, false, [3, 3, 1, 3]),
      (10, 12, 0, .adaptive, false, [12, 7, 1, 12]), (10, 3, 5, .adaptive, false, [3, 3, 1, 5]),
      (10, 0.5, 0, .fixed, false, [0.5, 0.5, 0.5, 0.5]),
    ])
  func seconds(
    live: Double, file: Double, bypass: Double, policy: HoldRule.StartPolicy, isLive: Bool, expected: [Double]
  ) {
    let rule = rule(live: live, file: file, bypass: bypass, policy)
    let told = [
      rule.start(isLive: isLive), rule.refill(isLive: isLive), rule.restart(isLive: isLive), rule.limit(isLive: isLive),
    ]
    #expect(told == expected.map { StreamTime(seconds: $0) })
  }

  @Test(
    "A possible file or station runs ahead as far as either", arguments: [(0.0, 20.0), (60, 60), (5, 20)])
  func eitherKind(bypass: Double, expected: Double) {
    let rule = rule(live: 10, file: 3, bypass: bypass, .adaptive)
    #expect(rule.limit(isLive: true, mayBeFile: true) == StreamTime(seconds: expected))
    #expect(rule.limit(isLive: true) == StreamTime(seconds: 20))
  }

  @Test(
    "A download is never slowed before the prebuffer is full (R2.3)", arguments: HoldRule.StartPolicy.allCases)
  func neitherWaits(policy: HoldRule.StartPolicy) {
    for live in [0.1, 1, 10, 20, 3_600] {
      for file in [0.1, 1, 3, 12, 3_600] {
        for bypass in [0.0, 1, 3_600] {
          let rule = rule(live: live, file: file, bypass: bypass, policy)
          for isLive in [true, false] {
            let most = max(rule.start(isLive: isLive), rule.refill(isLive: isLive), rule.restart(isLive: isLive))
            #expect(most <= rule.limit(isLive: isLive))
          }
        }
      }
    }
  }
}
