import Testing
import Units

@testable import Radio

/// The watch of sound that is held and not heard (R2.2), second by second.
@Suite struct HeldSoundWatchTests {
  private static let unheard = HeldSoundWatch.Look(
    isWanted: true, isAtSink: false, isComplete: true, held: StreamTime(seconds: 3), written: StreamTime(seconds: 9),
    playedFrames: 1_000)

  /// The seconds at which it is due, of so many, when each second looks so.
  private func due(_ seconds: Int, _ look: (Int, inout HeldSoundWatch.Look) -> Void = { _, _ in }) -> [Int] {
    var watch = HeldSoundWatch()
    return (0..<seconds).filter { second in
      var now = Self.unheard
      look(second, &now)
      return watch.isDue(now, at: MonotonicTime(milliseconds: Int64(second) * 1_000))
    }
  }

  @Test("sound that is held and complete is due after 5 s, and again every 5 s")
  func complete() { #expect(due(20) == [5, 10, 15]) }

  @Test("where bytes may still come it is due 5 s after nothing came for 5 s")
  func quiet() { #expect(due(20) { $1.isComplete = false } == [10, 15]) }

  @Test("gathering while bytes arrive is never due")
  func gathering() {
    let times = due(60) { second, look in
      look.isComplete = false
      look.written = StreamTime(seconds: Double(second) / 10)
    }
    #expect(times.isEmpty)
  }

  @Test("the 5 s begin when the sound ended, and when no more came", arguments: [(7, 0), (0, 7), (7, 7), (3, 7)])
  func begins(lastSound: Int, complete: Int) {
    let times = due(15) { second, look in
      look.playedFrames = Int64(min(second, lastSound))
      look.isComplete = second >= complete
      // What comes until then.
      look.written = StreamTime(seconds: Double(min(second, complete)))
    }
    #expect(times.first == max(lastSound, complete) + 5)
  }

  @Test(
    "never while nothing is wanted, nothing is held, the sink is written to, or sound goes on",
    arguments: ["wanted", "held", "sink", "sound"])
  func legitimate(reason: String) {
    let times = due(60) { second, look in
      switch reason {
      case "wanted": look.isWanted = false
      case "held": look.held = HeldSoundWatch.least
      case "sink": look.isAtSink = true
      default: look.playedFrames = Int64(second / 4)
      }
    }
    #expect(times.isEmpty)
  }
}
