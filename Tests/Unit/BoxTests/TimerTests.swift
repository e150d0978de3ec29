import PanelWords
import Settings
import Testing
import Units

@testable import Box

/// Timed actions of the box: standby and retries.
@Suite struct TimerTests {
  @Test("A sleep timer counts whole minutes, and fires once")
  func sleep() {
    var timer = SleepTimer()
    #expect(timer.minutesLeft(at: at(0)) == nil && timer.due == .never && !timer.consumeEnd(at: at(1e6)))
    timer.set(minutes: 15, at: at(0))
    for (moment, left) in [(0.0, 15), (0.5, 15), (60, 14), (839, 2), (841, 1), (899, 1), (950, 1)] {
      #expect(timer.minutesLeft(at: at(moment)) == left, "\(moment)")
    }
    #expect(!timer.consumeEnd(at: at(899.9)) && timer.due == at(900))
    #expect(timer.consumeEnd(at: at(900)) && !timer.consumeEnd(at: at(901)) && timer == SleepTimer())
    timer.set(minutes: 1, at: at(0))
    timer.set(minutes: nil, at: at(1))
    #expect(timer == SleepTimer())
  }

  @Test("A sleep timer fades by 60 dB in its last 30 s, in steps of at most 0.2 dB, and not after it is switched off")
  func fade() {
    var timer = SleepTimer()
    #expect(timer.fade(at: at(0)) == 0 && timer.nextChange(at: at(0)) == .never)
    timer.set(minutes: 1, at: at(0))
    #expect(timer.fade(at: at(30)) == 0 && timer.nextChange(at: at(0)) == at(30))
    #expect(timer.fade(at: at(45)) == -30 && timer.fade(at: at(60)) == -60 && timer.fade(at: at(61)) == -60)
    var (moment, last) = (at(30), 0.0)
    while moment < at(60) {
      moment = timer.nextChange(at: moment)
      let gain = timer.fade(at: moment)
      #expect(gain < last && last - gain < 0.21)
      last = gain
    }
    #expect(moment == at(60) && last == -60)
    timer.set(minutes: 15, at: at(50))
    #expect(timer.fade(at: at(51)) == 0)
    timer.set(minutes: nil, at: at(52))
    #expect(timer.fade(at: at(60)) == 0)
  }

  @Test("A sleep timer of a restarted box ends after its minutes, or at its time if the clock is set earlier (I2)")
  func restored() {
    var timer = SleepTimer()
    #expect(timer.saved(wall: 5_000, at: at(0)) == nil)
    timer.set(minutes: 30, at: at(0))
    #expect(timer.saved(wall: nil, at: at(61)) == SavedSleep(minutes: 29, end: nil))
    let saved = timer.saved(wall: 5_000, at: at(60))
    #expect(saved == SavedSleep(minutes: 29, end: 5_000 + 29 * 60))
    for (wall, left) in [(nil, 29), (5_000, 29), (4_000, 29), (5_600, 19), (99_999, nil)] as [(Int64?, Int?)] {
      var restored = SleepTimer()
      restored.restore(saved, at: at(0))
      restored.update(wall: nil, isKept: false, at: at(0))
      restored.update(wall: wall, isKept: false, at: at(0))
      #expect(restored.saved(wall: nil, at: at(0))?.end == saved?.end)
      #expect(restored.consumeEnd(at: at(0)) == (left == nil))
      #expect(restored.minutesLeft(at: at(0)) == left, "\(String(describing: wall))")
    }
    timer.restore(saved, at: at(0))
    timer.set(minutes: 15, at: at(0))
    timer.update(wall: 99_999, isKept: false, at: at(0))
    #expect(timer.minutesLeft(at: at(0)) == 15, "a new timer does not end at the time of the old one")
    timer.restore(saved, at: at(0))
    timer.update(wall: 5_000, isKept: true, at: at(0))
    timer.update(wall: 99_999, isKept: true, at: at(0))
    #expect(timer.minutesLeft(at: at(0)) == 29, "a later step of the clock does not end it")
    let end = timer.saved(wall: 7_000, at: at(0))?.end
    #expect(end == 8_740)
    timer.restore(nil, at: at(0))
    #expect(timer == SleepTimer())
  }

  private static let attempt = StationRetry.Attempt(id: 1, isPaused: false)

  @Test("A given-up station is retried after a minute, once")
  func retry() {
    var retry = StationRetry()
    #expect(retry.removeDue(at: at(1e6)) == nil && retry.due == .never)
    retry.giveUp(Self.attempt, at: at(0))
    #expect(retry.removeDue(at: at(59.9)) == nil && retry.due == at(60))
    #expect(retry.removeDue(at: at(60)) == Self.attempt && retry.removeDue(at: at(200)) == nil)
    retry.giveUp(Self.attempt, at: at(0))
    retry.cancel()
    #expect(retry.due == .never)
    for intent in PlaybackIntent.allCases {
      retry.giveUp(Self.attempt, at: at(0))
      #expect(retry.update(intent) == [.stopped, .standby].contains(intent), "\(intent)")
      #expect(retry.update(intent) == false)
    }
  }

  @Test("A set clock and a new network advance a planned retry")
  func hurry() {
    var retry = StationRetry()
    retry.retryNow(at: at(0))
    retry.update(networkChanges: 1, at: at(0))
    #expect(retry.due == .never)
    retry.giveUp(Self.attempt, at: at(0))
    retry.update(networkChanges: 1, at: at(5))
    #expect(retry.due == at(60), "that change was seen before")
    retry.update(networkChanges: 2, at: at(5))
    #expect(retry.due == at(6))
    retry.update(networkChanges: 3, at: at(5.5))
    #expect(retry.due == at(6), "never later than it was")
    retry.retryNow(at: at(5.6))
    #expect(retry.due == at(5.6))
  }
}
