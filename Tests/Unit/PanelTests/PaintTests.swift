import CAllocGuard
import Panel
import SeededRandom
import Testing
import Units

/// The panel draws a frame only after a visible change (`ShownContent`).
@Suite("Frames of the panel")
struct PaintTests {
  static let sizes = [(20, 4), (16, 2), (20, 2), (16, 4)]

  @Test(
    "A view without a visible change draws no frame",
    .enabled(if: guard_works(), "a sanitizer has a malloc of its own"), arguments: sizes)
  func unchanged(columns: Int, rows: Int) {
    var hand = Hand(columns, rows)
    hand.view.recording = PanelRecording(name: "One", seconds: 3, roomSeconds: 900)
    let first = hand.picture()
    for step in 1...50 {
      hand.now = hand.now + .ms(20)
      let seconds = Double(step) / 10
      (hand.view.held, hand.view.heldBehind, hand.view.capacity) = (10 + seconds, 900 + seconds, 2_700 - seconds)
      hand.view.recording?.seconds += seconds
      hand.view.timeShift = seconds / 10
      guard_start()
      let picture = hand.panel.picture(hand.view, at: hand.now)
      let counts = guard_stop()
      #expect(picture == first && counts.allocations == 0)
    }
  }

  @Test("Each visible change draws a frame", arguments: sizes, 1...2 as ClosedRange<UInt64>)
  func changed(size: (columns: Int, rows: Int), seed: UInt64) {
    var random = SeededGenerator(seed)
    var pair = Pair(hand: Hand(size.columns, size.rows), eager: Hand(size.columns, size.rows))
    for step in 0..<500 {
      let pause = Int64.random(in: 0...400, using: &random)
      let presses = Int.random(in: 0..<60, using: &random) == 0
      for both in [\Pair.hand, \Pair.eager] {
        pair[keyPath: both].wait(pause)
        if presses { pair[keyPath: both].press(.display) }
      }
      change(&pair.hand.view, &random)
      pair.eager.view = pair.hand.view
      // Other settings, which no screen shows, draw each frame.
      var settings = pair.hand.panel.settings
      settings.scrubStep += step % 2
      pair.eager.panel.adopt(settings)
      let (one, other) = (pair.hand.picture(), pair.eager.picture())
      #expect(one == other, "step \(step): \(one.rows), not \(other.rows)")
      let now = pair.hand.now
      #expect(pair.hand.panel.nextChange(after: now) <= pair.eager.panel.nextChange(after: now))
    }
  }

  /// Two panels with the same input; `eager` draws each frame.
  private struct Pair {
    var hand: Hand
    var eager: Hand
  }

  /// Changes one random value of a view.
  private func change(_ view: inout PanelView, _ random: inout SeededGenerator) {
    let seconds = Double.random(in: 0...30, using: &random)
    let isOn = Bool.random(using: &random)
    let name = ["", "FIP", "A name that is longer than the row", "東京", "Ö1 – \\~"].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<24, using: &random) {
    case 0: view.state = PanelState.allCases.randomElement(using: &random) ?? .playing
    case 1: view.isAudible = isOn
    case 2: view.isStandby = isOn && name.isEmpty
    case 3: view.fault = isOn ? name.isEmpty ? .badCertificate : .noAnswer(attempt: 2, nextTry: 5) : nil
    case 4: view.bootStage = isOn && name.isEmpty ? .soundCard : nil
    case 5: view.guest = isOn && name.isEmpty ? "Snapcast" : nil
    case 6: view.station = name
    case 7: view.artist = name
    case 8: view.title = name
    case 9: (view.position, view.duration) = (isOn ? seconds : nil, isOn ? 60 : nil)
    case 10...13: view.held = seconds
    case 14: view.heldBehind = seconds
    case 15, 16: view.timeShift = isOn ? seconds / 10 : 0
    case 17: view.recording = isOn ? PanelRecording(name: name, seconds: seconds, roomSeconds: nil) : nil
    case 18: (view.volume, view.isMuted) = (Int(seconds), isOn)
    case 19: view.sleepMinutes = isOn ? Int(seconds) : nil
    case 20: view.clock = isOn ? WallClock(hour: Int(seconds) % 24, minute: 7, weekday: 5, day: 21, month: 11) : nil
    case 21: (view.codec, view.bitRate) = (isOn ? "AAC" : "MP3", Int(seconds))
    case 22: view.sound = isOn ? PanelSound.slope : nil
    default: view.sound?.bands = (0..<20).map { _ in Double.random(in: -90...0, using: &random) }
    }
  }
}
