import Testing
import Units

@testable import Radio

/// What the settings mean to the engine (R2.1, R2.2).
@Suite struct RadioSettingsTests {
  @Test("the defaults are the manual's")
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
    "the start takes a second or the whole wait, a refill seven seconds or the smaller wait",
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

  @Test(
    "loudness in dB becomes a factor of 24 bits",
    arguments: [(0.0, 1 << 24), (6.0206, 2 << 24), (-6.0206, 1 << 23), (-60, 16_777), (12, 66_791_243)])
  func gain(decibels: Double, factor: Int) {
    var settings = RadioSettings()
    settings.gainDecibels = decibels
    #expect(abs(Int(settings.gain) - factor) <= max(1, factor >> 16))
  }
}
