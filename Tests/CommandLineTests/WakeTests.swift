import Foundation
import TestSupport
import Testing

/// How often a playing radio wakes: each time costs a small processor more than the work that it does then.
@Suite struct WakeTests {
  @Test(
    "a live station wakes the radio less than 30 times a second, with a burst and without",
    .enabled(if: !Sanitizer.isOn, "a sanitizer has a thread of its own"), arguments: [0.0, 4.0])
  func wakes(burst: Double) async throws {
    try await Stage.run {
      let air = Broadcast(Clip.mp3(20), burst: burst)
      let station = try ScriptedStation { [.live()] + air.air($0) }
      defer { station.close() }
      let program = try Program(["play", "--output", "null", "--drift", "off", station.url()])
      #expect(program.says("Playing after"))
      // Who comes late on a busy machine wakes more often: the quietest of three looks counts.
      let rate = (0..<3).map { _ in program.wakeRate(over: 5) }.min() ?? .infinity
      #expect(rate < 30, "\(rate) wake-ups a second")
      program.interrupt()
      #expect(try program.end().code == 0)
    }
  }

  @Test(
    "a file of which more may be held than there is room for wakes the radio no oftener",
    .enabled(if: !Sanitizer.isOn, "a sanitizer has a thread of its own"))
  func wakesWhenFull() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.write(Array([[UInt8]](repeating: Clip.mp3(20).bytes, count: 60).joined()), to: "long.mp3")
      let program = try Program([
        "play", "--output", "null", "--drift", "off", "--throttle-bypass", "900", path,
      ])
      #expect(program.says("Playing after"))
      let rate = (0..<3).map { _ in program.wakeRate(over: 5) }.min() ?? .infinity
      #expect(rate < 60, "\(rate) wake-ups a second")
      program.interrupt()
      #expect(try program.end().code == 0)
    }
  }
}
