import Testing
import Units

@testable import RadioEngine

/// The buffer that is enough to start (R2.2), in steps of a tenth of a second.
@Suite struct PrebufferGateTests {
  private static let look = PrebufferGate.Snapshot(
    ahead: .zero, hold: StreamTime(seconds: 7), hasEnded: false, isHeldBack: false, rescue: 0)

  /// Seconds until the buffer is enough, with `look` applied to each tenth of a second; nil after a minute.
  private func enough(again: Bool, _ look: (Double, inout PrebufferGate.Snapshot) -> Void) -> Double? {
    var gathering = PrebufferGate()
    gathering.begin(again: again, at: .zero)
    for tenth in 0..<600 {
      var now = Self.look
      look(Double(tenth) / 10, &now)
      if gathering.isEnough(now, at: MonotonicTime(milliseconds: Int64(tenth) * 100)) { return Double(tenth) / 10 }
    }
    return nil
  }

  @Test("The prebuffer is full at its goal", arguments: [true, false])
  func held(again: Bool) {
    #expect(enough(again: again) { $1.ahead = StreamTime(seconds: $0 / 2) } == 14)
  }

  @Test(
    "A buffer without growth starts after 2 s at first, and after 5 s in a refill",
    arguments: [(false, 3.1), (true, 6.1)])
  func growsNoMore(again: Bool, second: Double) {
    #expect(enough(again: again) { $1.ahead = StreamTime(seconds: min($0, 1)) } == second)
  }

  @Test("A last packet alone is not audio")
  func lastPacket() { #expect(enough(again: true) { $1.ahead = StreamTime(seconds: $0 < 1 ? 0 : 0.026) } == nil) }

  @Test("Packets of zero duration suffice if no more can be buffered", arguments: [(false, 2.1), (true, 5.1)])
  func timeless(again: Bool, second: Double) {
    #expect(enough(again: again) { $1.isHeldBack = true } == second)
  }

  @Test("An empty buffer never suffices, except at the end", arguments: [true, false])
  func nothing(hasEnded: Bool) {
    let second = enough(again: true) {
      $1.rescue = UInt32($0)
      $1.hasEnded = hasEnded && $0 >= 1
    }
    #expect(second == (hasEnded ? 1 : nil))
  }

  @Test("The buffer suffices at once if no more data follows", arguments: ["end", "held back", "rescue"])
  func complete(reason: String) {
    let second = enough(again: true) {
      $1.ahead = StreamTime(seconds: 0.1 + $0 / 100)
      guard $0 >= 1 else { return }
      switch reason {
      case "end": $1.hasEnded = true
      case "held back": $1.isHeldBack = true
      default: $1.rescue = 1
      }
    }
    #expect(second == 1)
  }

  @Test("State from an earlier prebuffer does not count in the next")
  func beginsAnew() {
    var gathering = PrebufferGate()
    func isEnough(at seconds: Double) -> Bool {
      var look = Self.look
      (look.ahead, look.rescue) = (StreamTime(seconds: 1), 1)
      return gathering.isEnough(look, at: MonotonicTime(seconds: seconds))
    }
    gathering.begin(again: false, at: .zero)
    let first = isEnough(at: 1)
    gathering.begin(again: true, at: MonotonicTime(seconds: 10))
    let later = [11, 15.5, 16.1].map { isEnough(at: $0) }
    #expect(first && later == [false, false, true])
  }
}

/// The effect of the settings on the engine (R2.1, R2.2).
@Suite struct RadioSettingsTests {
  @Test("The defaults are the manual's")
  func defaults() {
    let settings = RadioSettings()
    #expect(settings.blockCount == 1_200)
    #expect(settings.waitLive == StreamTime(seconds: 10))
    #expect(settings.waitFile == StreamTime(seconds: 3))
    #expect(settings.startPolicy == .adaptive)
    #expect(!settings.hasDither)
    #expect(settings.duration == nil)
  }

  @Test(
    "A start needs a second or the full wait, a refill seven seconds or the shorter wait",
    arguments: [
      (RadioSettings.StartPolicy.adaptive, 10.0, 1.0, 7.0), (.fixed, 10, 10, 7), (.adaptive, 0.5, 0.5, 0.5),
      (.fixed, 4, 4, 4),
    ])
  func holds(policy: RadioSettings.StartPolicy, wait: Double, start: Double, refill: Double) {
    var settings = RadioSettings()
    settings.startPolicy = policy
    settings.waitLive = StreamTime(seconds: wait)
    #expect(settings.hold.start(isLive: true) == StreamTime(seconds: start))
    #expect(settings.hold.refill(isLive: true) == StreamTime(seconds: refill))
  }
}
