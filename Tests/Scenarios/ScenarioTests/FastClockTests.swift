import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SinkBench
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct FastClockTests {
  @Test("A radio on an eightfold clock plays 24 s in three, sample for sample")
  func playsFaster() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.mp3(24)
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
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

/// The card plays whole periods; silence fills the last one, so that old audio is not repeated.
@Suite struct DrainTests {
  @Test("A pause and an end give a card whole periods, and silence does not count")
  func wholePeriods() async throws {
    try await Stage.run(speed: 2) {
      let folder = TemporaryFolder()
      let clip = Clip.mp3(5)
      let path = folder.write(clip.bytes, to: "five.mp3")
      let card = BenchCard()
      let rig = try RadioRig(InterruptionBench.settings, to: card.output)
      rig.tune(try WebAddress(filePath: path).url.unredacted)
      try #require(rig.next("playing") != nil)
      rig.run(for: 1.23)
      rig.radio.pause()
      #expect(rig.run { !card.drains.isEmpty })
      rig.run(for: 0.5)
      let (heard, place) = (Double(card.playedPcm.count / 4) / 44_100, rig.radio.status.position)
      #expect(abs(place - heard) < 0.02, "the silence is no programme: \(place), not \(heard)")
      rig.radio.resume()
      guard case .fileComplete(let whole) = rig.next("fileComplete") else {
        Issue.record("no end: \(rig.names)")
        return
      }
      _ = rig.radio.close()
      let drains = card.drains
      #expect(drains.count >= 2 && drains.allSatisfy { $0.writtenFrameCount % $0.period == 0 }, "\(drains)")
      #expect(abs(whole - clip.duration) < 0.05)
      let cuts = Sound(clip.pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
      #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
    }
  }
}
