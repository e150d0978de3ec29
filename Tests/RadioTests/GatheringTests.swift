import Testing
import Units

@testable import Radio

/// When what is held is enough to sound (R2.2), in tenths of a second.
@Suite struct GatheringTests {
  private static let look = Gathering.Look(
    ahead: .zero, hold: StreamTime(seconds: 7), hasEnded: false, isHeldBack: false, rescue: 0)

  /// The second at which it is enough, if each tenth of a second looks so; nil within a minute.
  private func enough(again: Bool, _ look: (Double, inout Gathering.Look) -> Void) -> Double? {
    var gathering = Gathering()
    gathering.begin(again: again, at: .zero)
    for tenth in 0..<600 {
      var now = Self.look
      look(Double(tenth) / 10, &now)
      if gathering.isEnough(now, at: MonotonicTime(milliseconds: Int64(tenth) * 100)) { return Double(tenth) / 10 }
    }
    return nil
  }

  @Test("it is enough once so much is held", arguments: [true, false])
  func held(again: Bool) {
    #expect(enough(again: again) { $1.ahead = StreamTime(seconds: $0 / 2) } == 14)
  }

  @Test("what does not grow is enough after 2 s at first, and after 5 s again", arguments: [(false, 3.1), (true, 6.1)])
  func growsNoMore(again: Bool, second: Double) {
    #expect(enough(again: again) { $1.ahead = StreamTime(seconds: min($0, 1)) } == second)
  }

  @Test("a packet that came last is no sound of its own in the silence")
  func lastPacket() { #expect(enough(again: true) { $1.ahead = StreamTime(seconds: $0 < 1 ? 0 : 0.026) } == nil) }

  @Test("nothing held is never enough, but for the end", arguments: [true, false])
  func nothing(hasEnded: Bool) {
    let second = enough(again: true) {
      $1.isHeldBack = true
      $1.rescue = UInt32($0)
      $1.hasEnded = hasEnded && $0 >= 1
    }
    #expect(second == (hasEnded ? 1 : nil))
  }

  @Test("where no more comes what is held is enough at once", arguments: ["end", "held back", "rescue"])
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
}
