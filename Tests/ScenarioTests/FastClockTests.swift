import Foundation
import Radio
import TestSupport
import Testing

/// The clock that lets the other scenarios live through minutes in seconds.
@Suite struct FastClockTests {
  @Test("a radio whose clock goes eight times faster plays 24 s in three, sample for sample")
  func playsFaster() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.mp3(24)
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.air(visit) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      let (began, told) = (Date(), monotonicSeconds())
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(within: 60))
      #expect(monotonicSeconds() - told > 23.5)
      #expect(Date().timeIntervalSince(began) < 20, "the machine is busy, yet faster than the programme")
      let summary = rig.radio.close()
      #expect(rig.holdsUnlessLate(summary.underruns == 0 && difference(rig.pcm, clip.pcm()) == nil))
    }
  }
}
