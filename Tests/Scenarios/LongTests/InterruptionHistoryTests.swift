import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Regressions in interruptions, numbered as in the manual (R12).
@Suite struct InterruptionHistoryTests {
  @Test("1.9: willSuspend is emitted before the suspension (R12)")
  func willBeSuspended() async throws {
    try await Stage.run {
      try InterruptionBench.playing(.mp3(12)) { rig, card in
        var wasTaken: [Bool] = []
        rig.radio.onEvent = { event, _ in
          if ["willSuspend", "suspended", "resumed"].contains(event.name) { wasTaken.append(card.isOpen) }
        }
        rig.radio.suspend()
        rig.radio.endSuspension()
        #expect(rig.run { wasTaken.count == 3 } && wasTaken == [true, false, true])
      }
    }
  }

  @Test("1.10: A pause before an interruption stays, and resumes correctly (R12)")
  func staysPaused() async throws {
    try await Stage.run(speed: 3) {
      let clip = Clip.long(30)
      try InterruptionBench.playing(clip) { rig, card in
        rig.radio.pause()
        rig.run(for: 0.7)
        let heard = card.playedPcm.count
        rig.radio.suspend()
        rig.radio.endSuspension()
        #expect(rig.next("resumed") != nil)
        card.state = .gone
        #expect(rig.next("deviceLost") != nil)
        card.state = .there
        #expect(rig.next("deviceBack") != nil)
        TestClock.current.pretendSleep(10)
        rig.run(for: 2)
        #expect(rig.events("resumed").count == 3)
        #expect(rig.radio.state == .paused && rig.events("playing").count == 1 && card.playedPcm.count == heard)
        rig.radio.resume()
        #expect(rig.next("playing") != nil && InterruptionBench.waitForPlayback(1, rig, card))
        let cuts = Sound(clip.prefix(15).pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
        #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      }
    }
  }

  @Test("1.13: Playback resumes by itself after an interruption (R12)")
  func continues() async throws {
    try await Stage.run {
      try InterruptionBench.playing(.mp3(15)) { rig, card in
        for _ in 0..<3 {
          rig.radio.suspend()
          rig.radio.endSuspension()
          #expect(rig.next("playing", within: 3) != nil && InterruptionBench.waitForPlayback(0.3, rig, card))
        }
        let cuts = Sound(Clip.mp3(15).pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
        #expect(rig.holdsUnlessLate(cuts.count == 3 && cuts.allSatisfy { $0.count <= 2 * 222 }), "\(cuts)")
      }
    }
  }

  @Test("2.1: An interruption of more than ten minutes resumes (R12)")
  func tenMinutes() async throws {
    try await Stage.run(speed: 25) {
      let clip = Clip.long(760)
      let broadcast = Broadcast(clip, burst: 10)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      var settings = InterruptionBench.settings
      settings.pauseTimeout = Duration(milliseconds: 60_000)
      let rig = try RadioRig(settings, isPaced: true, bufferMilliseconds: 2_000)
      rig.tune(station.url())
      try #require(rig.next("playing", within: 100) != nil)
      rig.run(for: 20)
      rig.radio.suspend()
      #expect(rig.run(100) { rig.radio.status.isResting })
      let (held, heard, visits) = (rig.radio.status.blocks.written.seconds, rig.pcmCount, station.visits.count)
      rig.run(for: 570)
      #expect(rig.radio.status.held > 40 && rig.pcmCount == heard && station.visits.count == visits)
      let stitches = rig.events("stitched").count
      rig.radio.endSuspension()
      #expect(rig.next("playing", within: 30) != nil)
      #expect(rig.run(60) { rig.events("stitched").count > stitches && station.visits.count > visits }, "\(rig.names)")
      #expect(rig.radio.status.blocks.written.seconds >= held)
      #expect(rig.run(100) { rig.pcmCount > heard + 20 * 176_400 })
      #expect(rig.events("paused").first == .paused(.interruption) && rig.events("paused").contains(.paused(.timeout)))
      let cuts = Sound(clip.prefix(40).pcm()).differingRanges(from: Sound(Array(rig.pcm.prefix(38 * 176_400))), at: 0)
      #expect(rig.holdsUnlessLate(cuts.count == 1, or: rig.radio.status.underruns > 0), "\(cuts)")
      _ = rig.radio.close()
    }
  }
}
