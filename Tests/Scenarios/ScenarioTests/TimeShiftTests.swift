import Foundation
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Pause and rewind of live radio (R3, N1).
@Suite struct TimeShiftTests {
  /// Runs a radio in real time on a station that sends a clip at once and then stalls.
  private static func playing(
    _ clip: Clip, _ work: (RadioRig) throws -> Void
  ) throws {
    let station = try ScriptedStation(StationAction.onAir(clip))
    defer { station.close() }
    let rig = try RadioRig(isPaced: true)
    rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
    try #require(rig.next("playing", within: 10) != nil)
    try #require(rig.run(5) { rig.radio.status.blocks.written.seconds > clip.duration - 0.1 })
    try work(rig)
    _ = rig.radio.close()
  }

  @Test("Resume continues with the sample after the last one played (R3.1)")
  func pause() async throws {
    try await Stage.run {
      let clip = Clip.mp3(15)
      try Self.playing(clip) { rig in
        rig.run(for: 0.5)
        for _ in 0..<3 {
          rig.radio.pause()
          #expect((rig.radio.state, rig.radio.status.isAudioPlaying) == (.paused, true))
          rig.run(for: 0.4)
          let silent = rig.pcm.count
          rig.run(for: 0.3)
          #expect(rig.pcm.count == silent)
          rig.radio.resume()
          #expect(rig.next("playing", within: 2) != nil)
          rig.run(for: 0.4)
        }
        let (pcm, whole) = (Sound(rig.pcm), Sound(clip.pcm()))
        let cuts = pcm.differingRanges(from: whole, at: 0)
        #expect(cuts.count == 3 && cuts.allSatisfy { $0.count <= 2 * 222 }, "\(cuts)")
        #expect(
          rig.names.filter { ["paused", "playing"].contains($0) } == ["playing"]
            + (0..<3).flatMap { _ in ["paused", "playing"] })
      }
    }
  }

  @Test("The buffer equals the sent audio minus the played audio, within 0.1 s (R2.7)", arguments: ["MP3", "AAC"])
  func held(_ codec: String) async throws {
    try await Stage.run {
      let clip = codec == "AAC" ? Clip.aac(16) : Clip.mp3(16)
      try Self.playing(clip) { rig in
        for _ in 0..<3 {
          rig.run(for: 0.7)
          rig.radio.pause()
          // After the card's buffer all PCM has played.
          rig.run(for: 0.4)
          let heard = Double(rig.pcmCount) / 176_400
          #expect(rig.holdsUnlessLate(abs(rig.radio.status.held - (clip.duration - heard)) < 0.1))
          rig.radio.resume()
          #expect(rig.next("playing", within: 2) != nil)
        }
      }
    }
  }

  @Test("A rewind is accurate to a packet, and its audio equals the first time (R3.2)", arguments: ["MP3", "AAC"])
  func rewind(_ codec: String) async throws {
    try await Stage.run {
      // Decoded samples of this file depend on the previous packet only.
      let lap = Clip(Repository.bytes("Tests/Support/Fixtures/plain-44100.aac"))
      let clip = codec == "AAC" ? Clip((0..<10).flatMap { _ in lap.bytes }) : Clip.mp3(20)
      try Self.playing(clip) { rig in
        let whole = Sound(clip.pcm())
        rig.radio.forward(by: 6)
        rig.next("seekDone")
        for seconds in [4.0, -2.0, 5.0] {
          rig.run(for: 0.5)
          let before = rig.radio.status.position
          let bytes = rig.pcm.count
          if seconds > 0 { rig.radio.rewind(by: seconds) } else { rig.radio.forward(by: -seconds) }
          guard case .seekDone(let position, let requested) = rig.next("seekDone", within: 2) else {
            Issue.record("no seek was done")
            return
          }
          #expect(abs(requested - (before - seconds)) < 0.1)
          #expect(position <= requested + 0.001 && position > requested - 0.03)
          #expect(rig.run(2) { rig.pcm.count > bytes + 88_200 })
          let tail = Sound(Array(rig.pcm.suffix(40_000)))
          let place = whole.place(of: tail)
          let expected = rig.radio.status.position
          #expect(place != nil)
          let off = abs((place ?? 0) - expected)
          #expect((codec == "AAC" ? off.remainder(dividingBy: lap.duration) : off) < 0.6, "\(off) s off")
        }
      }
    }
  }

  @Test("Seeks are limited to the buffer, and a return to live leaves the safety buffer (R3.2, R3.3)")
  func limits() async throws {
    try await Stage.run {
      try Self.playing(.mp3(30)) { rig in
        #expect(rig.run(5) { rig.radio.status.position > 0.5 })
        #expect(!rig.radio.isRewindAllowed(5) && rig.radio.isRewindAllowed(0.2))
        #expect(rig.radio.isFastForwardAllowed(20) && !rig.radio.isFastForwardAllowed(40))
        rig.radio.goLive()
        guard case .seekDone(let live, _) = rig.next("seekDone") else { return }
        #expect(abs(live - 20) < 0.1, "the wait time, 10 s, is left")
        rig.radio.goLive()
        rig.radio.goOldest()
        guard case .seekDone(let oldest, _) = rig.next("seekDone") else { return }
        #expect(oldest == 0)
        rig.radio.forward(by: 1_000)
        guard case .seekDone(let newest, let requested) = rig.next("seekDone") else { return }
        #expect(requested > 900 && newest > 28.8 && newest <= 29)
        rig.radio.rewind(by: 1_000)
        guard case .seekDone(let back, _) = rig.next("seekDone") else { return }
        #expect(back == 0)
        #expect(rig.events("seekDone").count == 4)
      }
    }
  }

  @Test("Several turns of the knob add up")
  func turns() async throws {
    try await Stage.run {
      try Self.playing(.mp3(30)) { rig in
        rig.run(for: 0.3)
        rig.radio.forward(by: 20)
        for _ in 0..<5 { rig.radio.rewind(by: 2) }
        rig.run(for: 0.5)
        #expect(abs(rig.radio.status.position - 10.6) < 0.7)
      }
    }
  }

  @Test("The title belongs to the audible position (R3.5)")
  func titles() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let second = Int(clip.byteRate)
      let cues = [(at: 0, text: "One"), (at: second * 5, text: "Two"), (at: second * 10, text: "Three")]
      let mixed = Icy.interleave(clip.bytes, metaint: 2_000, titles: cues)
      let station = try ScriptedStation([.live("icy-metaint: 2000"), .send(mixed), .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
      func next() -> String? {
        if case .metadataChanged(let title, _) = rig.next("metadataChanged", within: 3) { title.text } else { nil }
      }
      #expect(next() == "One")
      #expect(rig.run(5) { rig.radio.status.blocks.written.seconds > clip.duration - 0.1 })
      rig.radio.forward(by: 12)
      #expect(next() == "Three")
      rig.radio.rewind(by: 6)
      #expect(next() == "Two")
      #expect(rig.radio.status.title?.text == "Two")
      rig.radio.pause()
      rig.radio.rewind(by: 100)
      #expect(rig.run(2) { rig.radio.status.title == nil }, "the first title came a little after the beginning")
      rig.radio.resume()
      #expect(next() == "One")
      #expect(rig.events("metadataReceived").count == 3)
    }
  }

  @Test("A seek during a pause plays at resume, without audio from the old position (R3.1)")
  func seekWhilePaused() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      try Self.playing(clip) { rig in
        rig.run(for: 0.4)
        rig.radio.pause()
        rig.run(for: 0.4)
        let silent = rig.pcm.count
        rig.radio.forward(by: 10)
        guard case .seekDone(let position, _) = rig.next("seekDone") else { return }
        rig.run(for: 0.2)
        #expect(rig.radio.state == .paused && rig.pcm.count == silent)
        rig.radio.resume()
        #expect(rig.next("playing", within: 2) != nil)
        #expect(rig.run(2) { rig.pcm.count > silent + 60_000 })
        let after = Sound(Array(rig.pcm[silent...]))
        let offset = Int((position * 44_100).rounded())
        #expect(Sound(clip.pcm()).differingRanges(from: after, at: offset).reduce(0) { $0 + $1.count } <= 222)
      }
    }
  }

  @Test("A seek never causes an underrun, whatever was decoded before")
  func neverDry() async throws {
    try await Stage.run {
      try Self.playing(.mp3(60)) { rig in
        for turn in 0..<24 {
          if turn % 2 == 0 { rig.radio.forward(by: 20) } else { rig.radio.rewind(by: 20) }
          rig.run(for: 0.3)
        }
        #expect(rig.events("seekDone").count == 24)
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
      }
    }
  }

  @Test("Seeks cross a format change in both directions (R3.5)")
  func formats() async throws {
    try await Stage.run {
      let clip = Clip(Clip.mp3(6).bytes + ToneMp3.frames(250, rate: 48_000) + Clip.aac(6).bytes)
      try Self.playing(clip) { rig in
        rig.radio.forward(by: 7)
        rig.run(for: 0.4)
        rig.radio.forward(by: 6)
        rig.run(for: 0.4)
        rig.radio.rewind(by: 12)
        rig.run(for: 0.4)
        let told = rig.events("stationInfo").compactMap { event -> String? in
          if case .stationInfo(let info) = event { "\(info.codec) \(info.sampleRate)" } else { nil }
        }
        #expect(told == ["MP3 44100", "MP3 48000", "AAC 44100", "MP3 44100"])
        #expect(rig.radio.state == .playing)
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0))
      }
    }
  }
}
