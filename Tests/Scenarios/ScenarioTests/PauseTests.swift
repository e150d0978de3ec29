import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Long pauses (R2.5, R2.6).
@Suite struct PauseTests {
  private static func playing(
    _ settings: RadioSettings, _ broadcast: Broadcast, isContinuous: Bool = false,
    _ work: (RadioRig, ScriptedStation) throws -> Void
  ) throws {
    let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
    defer { station.close() }
    let rig = try RadioRig(settings, isPaced: true)
    rig.tune(station.url()) { $0.isContinuous = isContinuous }
    try #require(rig.next("playing") != nil)
    rig.run(for: 2)
    try work(rig, station)
    _ = rig.radio.close()
  }

  @Test("A long pause closes the connection, and the new one joins without a gap (R2.5)")
  func timeout() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(80)
      var settings = RadioSettings.bench
      settings.pauseTimeout = Duration(milliseconds: 5_000)
      try Self.playing(settings, Broadcast(clip, burst: 20)) { rig, station in
        let before = rig.events.count
        let paused = rig.radio.time
        rig.radio.pause()
        #expect(rig.run { rig.radio.status.isResting })
        let closed = rig.radio.time
        #expect(closed - paused >= 5 && closed - paused < 7)
        #expect(rig.run { station.connectionCount == 0 })
        let status = rig.radio.status
        #expect(status.held > 20 && status.state == .paused && status.isAudioPlaying)
        rig.run(for: 6)
        #expect(rig.events[before...].map(\.event) == [.paused(.user), .paused(.timeout)])
        #expect(rig.radio.status.blocks.written == status.blocks.written && station.visits.count == 1)
        #expect(rig.radio.status.position == status.position)

        rig.radio.resume()
        guard case .playing(_, let latency, _) = rig.next("playing") else { return }
        #expect(latency < 2, "what is held sounds at once")
        guard case .stitched(let overlap, let lost, let isExact, _) = rig.next("stitched") else { return }
        #expect(overlap > 5 && lost == 0 && isExact, "\(overlap) s, \(lost) s lost: \(rig.events)")
        #expect(station.visits.count == 2)
        #expect(!rig.radio.status.isResting)
        #expect(rig.run(60) { rig.radio.status.position > status.blocks.written.seconds + 2 })
        let cuts = Sound(clip.prefix(45).pcm()).differingRanges(from: Sound(rig.pcm), at: 0)
        #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      }
    }
  }

  @Test("Without a time limit the pause closes at a full buffer, and everything plays (R2.5, R2.6)")
  func untilFull() async throws {
    try await Stage.run(speed: 10) {
      let clip = Clip.long(120)
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      settings.blockCount = 40
      try Self.playing(settings, Broadcast(clip, burst: 6)) { rig, station in
        rig.radio.pause()
        #expect(rig.run(90) { rig.radio.status.isResting })
        #expect(rig.run { station.connectionCount == 0 })
        let status = rig.radio.status
        #expect(status.blocks.usedCount > 20 && status.held > 15)
        #expect(rig.events("paused") == [.paused(.user), .paused(.timeout)])
        rig.radio.resume()
        #expect(rig.next("stitched", within: 60) != nil)
        #expect(rig.run(90) { rig.radio.status.position > status.blocks.written.seconds - 1 })
        let end = Int((status.blocks.written.seconds - 2) * 44_100) * 4
        let cuts = Sound(clip.prefix(50).pcm()).differingRanges(from: Sound(Array(rig.pcm.prefix(end))), at: 0)
        #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
      }
    }
  }

  @Test("A retry knows if the listener had paused the station", arguments: ["", "pause", "suspend"])
  func failsInPause(by what: String) async throws {
    try await Stage.run {
      let refuses = Gate()
      let station = try ScriptedStation([.gate(refuses)] + StationAction.response("404 Not Found"))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.next("connecting") != nil)
      if what == "pause" { rig.radio.pause() }
      if what == "suspend" { rig.radio.suspend() }
      refuses.open()
      #expect(rig.playOut() && rig.events.contains { $0.event == .stopped(.error) })
      #expect(rig.radio.wasPaused == (what == "pause"), "a device that was let go is no listener")
      _ = rig.radio.close()
    }
  }

  @Test("A continuous ring wraps during a pause, and playback resumes at the oldest audio (R2.6)")
  func continuous() async throws {
    try await Stage.run(speed: 10) {
      let clip = Clip.long(180)
      var settings = RadioSettings.bench
      settings.pauseTimeout = .zero
      settings.blockCount = 40
      try Self.playing(settings, Broadcast(clip, burst: 6), isContinuous: true) { rig, station in
        rig.radio.forward(by: 1)
        #expect(rig.next("seekDone") != nil)
        rig.run(for: 3)
        rig.radio.pause()
        let left = rig.radio.status.position
        #expect(rig.run(90) { rig.radio.status.blocks.oldest.seconds > left + 10 })
        #expect(station.connectionCount == 1 && !rig.radio.status.isResting)
        #expect(rig.events("paused") == [.paused(.user)] && rig.events("seekDone").count == 1)
        rig.radio.resume()
        guard case .seekDone(let position, let requested) = rig.next("seekDone") else {
          Issue.record("nothing is told")
          return
        }
        let oldest = rig.radio.status.blocks.oldest.seconds
        #expect(position > left + 10 && position <= oldest && position > oldest - 4)
        #expect(abs(requested - left) < 1.5, "where it would have gone on")
        rig.run(for: 8)
        #expect(rig.radio.state == .playing && rig.events("seekDone").count < 6)
        #expect(rig.holdsUnlessLate(rig.radio.status.position > position + 5 && rig.radio.status.underruns == 0))
      }
    }
  }
}
