import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SinkBench
import StationSupport
import TestSupport
import Testing
import Units

/// Compares the PCM before and after interruptions (R10.1).
@Suite struct InterruptionSoundTests {
  @Test("A failing card loses and repeats none of the audio in its buffer", arguments: ["MP3", "AAC"])
  func broken(_ codec: String) async throws {
    try await Stage.run {
      // Decoded samples of this file depend on the previous packet only.
      let lap = Clip(Repository.bytes("Tests/Support/Fixtures/plain-44100.aac"))
      let clip = codec == "AAC" ? Clip((0..<6).flatMap { _ in lap.bytes }) : Clip.mp3(12)
      try InterruptionBench.playing(clip) { rig, card in
        for _ in 0..<2 {
          card.state = .broken
          #expect(rig.next("suspended") != nil)
          rig.run(for: 0.3)
          card.state = .there
          #expect(rig.next("playing") != nil && InterruptionBench.waitForPlayback(1, rig, card))
        }
        let (told, heard) = (rig.radio.status.heard, card.playedPcm)
        #expect(abs(told - Double(heard.count) / 176_400) < 0.6)
        let cuts = Sound(clip.pcm()).differingRanges(from: Sound(heard), at: 0)
        #expect(rig.holdsUnlessLate(cuts.count == 2 && cuts.allSatisfy { $0.count <= 222 }), "\(cuts)")
        #expect(rig.events("seekDone").isEmpty && rig.events("deviceLost").count == 2)
      }
    }
  }

  @Test("After a card without a last report, playback resumes within 20 ms")
  func unplugged() async throws {
    try await Stage.run {
      let clip = Clip.mp3(15)
      try InterruptionBench.playing(clip) { rig, card in
        card.state = .gone
        #expect(rig.next("deviceLost") != nil && rig.radio.deviceFailure != nil && rig.radio.state == .paused)
        rig.run(for: 0.5)
        let cut = card.playedPcm.count
        #expect(rig.radio.status.held > 5, "the buffer stays")
        card.state = .there
        #expect(rig.next("deviceBack") != nil && rig.radio.deviceFailure == nil)
        #expect(rig.next("playing") != nil && InterruptionBench.waitForPlayback(1, rig, card))
        let tail = Sound(Array(card.playedPcm[(cut + 4 * 2_205)...].prefix(40_000)))
        let place = Sound(clip.pcm()).place(of: tail)
        let expected = Double(cut / 4 + 2_205) / 44_100
        #expect(
          rig.holdsUnlessLate(place != nil && abs((place ?? 0) - expected) < 0.02), "\(place ?? 0), not \(expected)")
        #expect(
          rig.names.filter { ["deviceLost", "suspended", "deviceBack", "resumed"].contains($0) }
            == ["deviceLost", "suspended", "deviceBack", "resumed"])
      }
    }
  }

  @Test("The ring fills meanwhile, and file and null sinks are released too", arguments: [false, true])
  func fills(isFree: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(40)
      let broadcast = Broadcast(clip, burst: 3)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let rig = try RadioRig(InterruptionBench.settings, isPaced: !isFree)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.run(for: 1)
      rig.radio.suspend()
      #expect(rig.next("suspended") != nil)
      let (held, heard) = (rig.radio.status.held, rig.pcmCount)
      rig.run(for: 6)
      #expect(rig.radio.status.held > held + 4 && rig.pcmCount == heard)
      rig.radio.endSuspension()
      #expect(rig.next("playing") != nil && rig.run { rig.pcmCount > heard + 400_000 })
      let cuts = Sound(clip.prefix(30).pcm()).differingRanges(from: Sound(rig.pcm), at: 0)
      #expect(rig.holdsUnlessLate(isFree || cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      _ = rig.radio.close()
    }
  }

  @Test("If the next sample was dropped, playback resumes at the oldest one with a report")
  func dropped() async throws {
    try await Stage.run(speed: 10) {
      let broadcast = Broadcast(Clip.long(180), burst: 6)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let card = BenchCard()
      var settings = InterruptionBench.settings
      settings.pauseTimeout = .zero
      settings.blockCount = 40
      let rig = try RadioRig(settings, to: card.output)
      rig.tune(station.url()) { $0.isContinuous = true }
      try #require(rig.next("playing") != nil)
      rig.run(for: 3)
      card.state = .gone
      #expect(rig.next("suspended") != nil)
      let left = rig.radio.status.position
      #expect(rig.run(90) { rig.radio.status.blocks.oldest.seconds > left + 10 })
      card.state = .there
      guard case .seekDone(let position, let requested) = rig.next("seekDone") else {
        Issue.record("nothing is told")
        return
      }
      #expect(abs(requested - left) < 2 && position > left + 8)
      #expect(rig.run { rig.radio.state == .playing })
      _ = rig.radio.close()
    }
  }

  @Test("Overlapping interruptions end with the last one")
  func overlap() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      try InterruptionBench.playing(clip) { rig, card in
        let start = rig.events.count
        func told() -> [String] {
          let names = ["willSuspend", "suspended", "resumed", "deviceLost", "deviceBack", "playing"]
          return rig.events[start...].map(\.event.name).filter { names.contains($0) }
        }
        // A guest takes the lost card, the card returns, and the guest ends.
        card.state = .gone
        #expect(rig.run { rig.radio.isSuspended })
        rig.radio.suspend()
        rig.run(for: 0.5)
        card.state = .there
        rig.run(for: 3)
        #expect(!card.isOpen && rig.radio.isSuspended, "it is somebody else's")
        rig.radio.endSuspension()
        #expect(rig.next("playing") != nil)
        let first = ["deviceLost", "willSuspend", "suspended", "deviceBack", "resumed", "playing"]
        #expect(told() == first)
        // The machine sleeps during a guest's use, and the card is gone afterwards.
        rig.run(for: 1)
        rig.radio.suspend()
        rig.radio.suspend()
        TestClock.current.pretendSleep(20)
        rig.run(for: 1)
        card.state = .gone
        rig.radio.endSuspension()
        rig.run(for: 2)
        #expect(rig.radio.isSuspended)
        card.state = .there
        #expect(rig.next("playing") != nil)
        #expect(told() == first + ["willSuspend", "suspended", "deviceLost", "deviceBack", "resumed", "playing"])
      }
    }
  }

  @Test("Pause, resume and stop during an interruption apply after it; a tune plays then")
  func orders() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      try InterruptionBench.playing(clip) { rig, card in
        rig.radio.suspend()
        rig.radio.pause()
        #expect(rig.events("paused") == [.paused(.interruption), .paused(.user)])
        rig.radio.endSuspension()
        #expect(rig.next("suspended") != nil && rig.next("resumed") != nil, "it is let go before it is taken again")
        rig.run(for: 1)
        #expect(rig.radio.state == .paused)
        rig.radio.suspend()
        rig.radio.resume()
        rig.run(for: 1)
        #expect(rig.radio.state == .paused && !card.isOpen)
        rig.radio.endSuspension()
        #expect(rig.next("playing") != nil)
        rig.radio.suspend()
        #expect(rig.next("suspended") != nil)
        rig.radio.rewind(by: 1)
        #expect(rig.next("seekDone") != nil)
        rig.radio.endSuspension()
        #expect(rig.next("playing") != nil)
        rig.radio.suspend()
        rig.radio.stop()
        rig.radio.endSuspension()
        rig.run(for: 1)
        #expect(rig.radio.state == .stopped)
        rig.radio.suspend()
        let heard = card.playedPcm.count
        rig.radio.play()
        rig.run(for: 3)
        #expect(rig.radio.state == .paused && rig.radio.status.held > 5 && card.playedPcm.count == heard)
        rig.radio.endSuspension()
        #expect(rig.next("playing") != nil && InterruptionBench.waitForPlayback(1, rig, card))
      }
    }
  }

  @Test("A radio that starts without its card, or while it is busy, plays when it is free", arguments: [0, 1])
  func begins(_ turn: Int) async throws {
    try await Stage.run(speed: 4) {
      let card = BenchCard(turn == 0 ? .gone : .there)
      if turn == 1 { #expect(card.occupy()) }
      #expect(throws: RadioError.self) { _ = try RadioRig(InterruptionBench.settings, to: card.output) }
      var output = card.output
      output.waitsForDevice = true
      let clip = Clip.mp3(30)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let rig = try RadioRig(InterruptionBench.settings, to: output)
      rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
      rig.run(for: 3)
      #expect(rig.names.prefix(4) == ["deviceLost", "willSuspend", "suspended", "paused"])
      #expect(rig.radio.state == .paused && rig.radio.status.held > 15)
      if turn == 0 { card.state = .there } else { card.free() }
      #expect(rig.next("deviceBack") != nil && rig.next("resumed") != nil && rig.next("playing") != nil)
      #expect(InterruptionBench.waitForPlayback(1, rig, card))
      #expect(rig.radio.status.position > 15, "what nobody heard yet is not gone through")
      _ = rig.radio.close()
    }
  }

  @Test("A sleep drops the connections, and the server's burst fills the gap")
  func sleep() async throws {
    try await Stage.run(speed: 5) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 8)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let card = BenchCard()
      let rig = try RadioRig(InterruptionBench.settings, to: card.output)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.run(for: 3)
      TestClock.current.pretendSleep(5)
      guard case .stitched(_, let lost, let isExact, _) = rig.next("stitched") else {
        Issue.record("it was not joined: \(rig.names)")
        return
      }
      #expect(isExact && lost == 0 && station.visits.count == 2 && station.visits[1].time - station.visits[0].time < 6)
      #expect(InterruptionBench.waitForPlayback(12, rig, card))
      let cuts = Sound(clip.prefix(40).pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
      #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      // A clock correction of one second, or a slow machine, is not a sleep.
      let count = rig.events("willSuspend").count
      TestClock.current.pretendSleep(1)
      rig.run(for: 2)
      #expect(rig.events("willSuspend").count == count)
      _ = rig.radio.close()
    }
  }

  @Test("A file resumes too, and ends after its last sample", arguments: ["command", "broken", "sleep"])
  func file(_ cause: String) async throws {
    try await Stage.run(speed: 3) {
      let clip = Clip.long(12)
      let bytes = clip.bytes
      let station = try ScriptedStation { visit in
        let from = visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
        guard from > 0 else { return [.file(bytes.count), .send(bytes)] }
        return [
          .head(
            "206 Partial Content",
            [
              "Content-Type: audio/mpeg", "Content-Length: \(bytes.count - from)",
              "Content-Range: bytes \(from)-\(bytes.count - 1)/\(bytes.count)",
            ]), .send(Array(bytes[from...])),
        ]
      }
      defer { station.close() }
      let card = BenchCard()
      let rig = try RadioRig(InterruptionBench.settings, to: card.output)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.run(for: 1.5)
      switch cause {
      case "command":
        rig.radio.suspend()
        rig.run(for: 1)
        rig.radio.endSuspension()
      case "broken":
        card.state = .broken
        #expect(rig.next("suspended") != nil)
        card.state = .there
      default: TestClock.current.pretendSleep(60)
      }
      guard case .fileComplete(let heard) = rig.next("fileComplete", within: 40) else {
        Issue.record("no end: \(rig.names)")
        return
      }
      #expect(abs(heard - clip.duration) < 0.2)
      let whole = Sound(clip.pcm())
      let cuts = whole.differingRanges(from: Sound(card.playedPcm), at: 0)
      #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      #expect(rig.holdsUnlessLate(abs(Sound(card.playedPcm).frames.count - whole.frames.count) < 10))
      _ = rig.radio.close()
    }
  }
}
