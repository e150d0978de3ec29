import Testing
import Units

@testable import Network

/// The decision for a lower bit rate, with a simulated clock.
@Suite struct BandwidthRuleTests {
  private static func moment(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }

  /// Data at a constant speed, in multiples of the bit rate, between two times in seconds.
  struct Flow {
    var speed: Double
    var from: Double
    var to: Double
    var interval = 0.25
  }

  /// Returns a rule after some data on one connection.
  private static func rule(_ flows: [Flow]) -> BandwidthRule {
    var (rule, delivered) = (BandwidthRule(), 1.0)
    for flow in flows {
      var time = flow.from
      while time <= flow.to {
        rule.record(StreamTime(seconds: delivered), at: moment(time))
        (time, delivered) = (time + flow.interval, delivered + flow.speed * flow.interval)
      }
    }
    return rule
  }

  /// Returns the decisions at empty buffers at these times.
  private static func decisions(_ rule: BandwidthRule, _ times: [Double]) -> [Bool] {
    var rule = rule
    return times.map { time in
      defer { _ = rule.recordBuffer(isEmpty: false, isConnected: true, at: moment(time + 0.2)) }
      return rule.recordBuffer(isEmpty: true, isConnected: true, at: moment(time))
    }
  }

  @Test(
    "The first empty buffer needs a lower bit rate if the last 10 s arrived below it (F6)",
    arguments: [
      ([Flow(speed: 0.75, from: 0, to: 20)], true), ([Flow(speed: 0.95, from: 0, to: 20)], true),
      ([Flow(speed: 1, from: 0, to: 20)], false),
      // A fast line became slow, and a slow one fast.
      ([Flow(speed: 1, from: 0, to: 20), Flow(speed: 0.75, from: 20, to: 30)], true),
      ([Flow(speed: 0.75, from: 0, to: 20), Flow(speed: 1, from: 20, to: 31)], false),
      // A burst more than 10 s ago.
      ([Flow(speed: 8, from: 0, to: 1), Flow(speed: 0.75, from: 1, to: 12)], true),
      // Too little data.
      ([Flow(speed: 0.5, from: 0, to: 1.5)], false), ([], false),
      // A stall of 6 s, and packets two seconds apart.
      ([Flow(speed: 1, from: 0, to: 10), Flow(speed: 1, from: 16, to: 18)], false),
      ([Flow(speed: 0.75, from: 0, to: 20, interval: 2)], false),
    ] as [([Flow], Bool)])
  func slow(flows: [Flow], isNeeded: Bool) {
    let rule = Self.rule(flows)
    #expect(Self.decisions(rule, [flows.last?.to ?? 0]) == [isNeeded], "\(rule.speed ?? -1)")
  }

  @Test(
    "A fast line needs a lower bit rate after three empty buffers in five minutes",
    arguments: [
      ([10, 20, 30], [false, false, true]), ([10, 20, 309], [false, false, true]),
      ([10, 20, 310], [false, false, false]), ([10, 200, 311, 400], [false, false, false, true]),
    ] as [([Double], [Bool])])
  func often(times: [Double], expected: [Bool]) {
    let rule = Self.rule([Flow(speed: 1, from: 0, to: 10)])
    #expect(Self.decisions(rule, times) == expected)
  }

  @Test("A buffer that stays empty counts once")
  func once() {
    var rule = Self.rule([Flow(speed: 0.75, from: 0, to: 10)])
    let decisions = (10..<20).map { rule.recordBuffer(isEmpty: true, isConnected: true, at: Self.moment(Double($0))) }
    #expect(decisions == [true] + Array(repeating: false, count: 9))
  }

  @Test("An empty buffer during a reconnect does not count")
  func reconnect() {
    var rule = Self.rule([Flow(speed: 0.75, from: 0, to: 10)])
    let decisions = [false, true].map { rule.recordBuffer(isEmpty: true, isConnected: $0, at: Self.moment(10)) }
    #expect(decisions == [false, false])
  }

  @Test("Another connection and a time without requests leave the speed unknown")
  func connections() {
    var rule = Self.rule([Flow(speed: 0.75, from: 0, to: 10)])
    #expect(rule.speed.map { abs($0 - 0.75) < 0.01 } == true)
    rule.record(nil, at: Self.moment(10.1))
    rule.record(StreamTime(seconds: 50), at: Self.moment(10.2))
    #expect(rule.speed.map { abs($0 - 0.75) < 0.01 } == true, "the first data after a time without requests")
    rule.record(StreamTime(seconds: 0.1), at: Self.moment(10.3))
    #expect(rule.speed == nil)
  }

  @Test("The better source is tried after ten minutes, and ten minutes after a failed try (F6)")
  func wayBack() {
    var rule = Self.rule([Flow(speed: 0.75, from: 0, to: 10)])
    #expect(rule.nextReturn == nil)
    rule.recordChange(at: Self.moment(10))
    #expect(rule.nextReturn == Self.moment(610) && rule.speed == nil)
    rule.postponeReturn(at: Self.moment(620))
    #expect(rule.nextReturn == Self.moment(1_220))
    rule.recordReturn()
    #expect(rule.nextReturn == nil)
  }
}
