import Continuity
import Control
import Network
import RadioEngine
import Testing
import Units

@testable import Box
@testable import PlayerSupport

/// The journal's words about a source that replaces the station (F7).
@Suite struct SourceJournalTests {
  private let bench = SourceBench()
  private var radio: FakeRadio { bench.radio }
  private var player: PlayerController { bench.player }

  /// Passes the time; returns the lines of the log.
  private func lines(_ seconds: Int) -> [String] {
    var lines: [String] = []
    radio.onReport = { [player] event in
      if let line = EventJournal.line(event, isDeviceMissing: false, player.fallback) { lines.append(line.text) }
    }
    bench.pass(seconds)
    radio.onReport = { _ in }
    return lines
  }

  @Test("The journal has each change of the source with its reason, and the next attempt (F7)")
  func journal() {
    bench.play()
    radio.isAudioPlaying = false
    #expect(lines(16) == ["B plays instead of A. No audio for 15 s. A is tried again in 10 s."])
    (radio.state, radio.isAudioPlaying, radio.isFirstChoiceReady) = (.playing, true, true)
    bench.pass(22)
    #expect(radio.newCommands.contains("tune a"))
    radio.state = .playing
    #expect(lines(2) == ["A plays again after 23 s. The reason for the change was: No audio for 15 s."])
    let better = Event.cameBack(to: "128 kbit/s", exact: false, after: 600)
    let line = EventJournal.line(better, isDeviceMissing: false, player.fallback)
    #expect(line?.text == "128 kbit/s plays again after 600 s.")
  }

  @Test("The journal has the station with dead air, and the source that follows (F7)", arguments: [false, true])
  func deadAir(isLoop: Bool) {
    var plan = SourceBench.plan
    plan.deadAir = DeadAir(decibels: -50, seconds: 20)
    bench.play(plan)
    if isLoop { (radio.loopSeconds, radio.quietLevel) = (61, -12) } else { radio.quietSeconds = 20 }
    let reason = isLoop ? "The same audio again for 61 s." : "Only silence for 20 s."
    #expect(
      lines(1) == [
        "Dead air of A at \(isLoop ? -12 : -70) dB. \(reason) B is tried now.",
        "B plays instead of A. \(reason) A is tried again in 10 s.",
      ])
  }

  @Test("The tone in the journal has the reason; the radio still tries the station (F7)")
  func tone() {
    bench.play(FallbackPlan([], ContinuityRules(hasTone: true)))
    radio.isAudioPlaying = false
    #expect(lines(16) == ["tone plays instead of A. No audio for 15 s. A is being tried."])
  }
}
