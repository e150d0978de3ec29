import AudioOutput
import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@testable import RadioEngine

/// Buffered audio plays (R2.2), whatever happened on the line before.
@Suite struct HeldSoundTests {
  @Test("A file that stalled for seven seconds plays to its end (E2)", arguments: [4.0, 7, 9.5])
  func fileStall(seconds: Double) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let station = try ScriptedStation { visit in
        let first = 65_536
        return [
          .file(clip.bytes.count), .send(Array(clip.bytes[..<first])), .wait(seconds),
          .send(Array(clip.bytes[first...])), .stall,
        ]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/file.mp3"))
      #expect(rig.playOut(within: 30 + seconds + 10))
      #expect(rig.radio.state == .stopped && rig.names.contains("fileComplete"))
      // Near the received end, the radio buffers again instead of ending.
      if seconds > 9 {
        let told = rig.names.filter { ["queueExhausted", "playing", "fileComplete"].contains($0) }
        #expect(told == ["playing", "queueExhausted", "playing", "fileComplete"])
      }
      let summary = rig.radio.close()
      #expect(abs(summary.heard - clip.duration) < 0.05 && summary.rescues == 0)
    }
  }

  @Test("A live station that starved a small ring plays again when the ring is full", arguments: [16, 24, 48])
  func smallRing(blocks: Int) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(24)
      let start = clip.prefix(1.5).bytes
      let station = try ScriptedStation { visit in
        let rest = StationAction.pace(Array(clip.bytes.dropFirst(start.count)), perSecond: clip.byteRate, burst: 0)
        return visit.number == 0 ? [.live(), .send(start), .wait(4), rest, .stall] : [.stall]
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = blocks
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("queueExhausted") != nil)
      // The radio buffers 7 s, or the ring's capacity if smaller.
      #expect(rig.next("playing", within: 7 + 1 + 4) != nil)
      #expect(rig.events("stitched").isEmpty)
      #expect(rig.radio.close().rescues == 0)
    }
  }

  @Test("A file starts after the wait time, under both policies", arguments: RadioSettings.StartPolicy.allCases)
  func longWait(policy: RadioSettings.StartPolicy) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let station = try ScriptedStation { visit in
        [.file(clip.bytes.count), .pace(clip.bytes, perSecond: clip.byteRate * 4, burst: 0)]
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.hold.waitLive = StreamTime(seconds: 12)
      settings.hold.waitFile = StreamTime(seconds: 12)
      settings.hold.policy = policy
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url("/file.mp3"))
      guard case .playing(_, let latency, _) = rig.next("playing", within: 12) else {
        Issue.record("it never sounds")
        return
      }
      #expect(latency > 2.5 && latency < 6, "twelve seconds come in three")
      #expect(rig.radio.close().rescues == 0)
    }
  }

  @Test("A station that returns and stalls before a refill plays with one second buffered")
  func standsStillAgain() async throws {
    try await Stage.run(speed: 2) {
      let (first, later) = (Clip.mp3(2), Clip.mp3(12, from: 400))
      let start = later.prefix(0.5).bytes
      let rest = Array(later.bytes.dropFirst(start.count))
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live(), .send(first.bytes)]
        case 1: [.live(), .send(start), .wait(2.9), .pace(rest, perSecond: later.byteRate, burst: 0), .stall]
        default: [.stall]
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("queueExhausted", within: 8) != nil)
      guard case .buffering(_, let target) = rig.next("buffering", within: 1) else {
        Issue.record("nothing is gathered")
        return
      }
      #expect(target == 1)
    }
  }

  @Test("A full wrapping ring plays although the wait time exceeds its capacity")
  func wrapping() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(30)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 0), .stall])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = 32
      (settings.hold.waitLive, settings.hold.policy) = (StreamTime(seconds: 60), .fixed)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url()) { $0.isContinuous = true }
      // Twenty blocks are full after 6.4 s; the watchdog would act later.
      guard case .playing(_, let latency, _) = rig.next("playing", within: 25) else {
        Issue.record("it never sounds")
        return
      }
      #expect(rig.holdsUnlessLate(latency < 9) && rig.radio.close().rescues == 0)
    }
  }

  @Test("A late period that was caught up does not cause a refill")
  func madeUpFor() async throws {
    try await Stage.run(speed: 3) {
      let clip = Clip.mp3(20)
      let second = Int(clip.byteRate)
      // The buffer has more than a second and shrinks; the ring is empty at 9 s.
      let bytes = clip.bytes
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live(), .pace(bytes, perSecond: clip.byteRate * 0.85, burst: 3 * second / 2), .stall] : [.stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      rig.run(for: 0.3)
      // Simulates a late decode thread.
      let engine = try #require(rig.radio.engine as? Engine)
      engine.board.pointee.underruns.add(1, ordering: .releasing)
      #expect(rig.next("underrun", within: 2) != nil)
      // Decoded audio lasts 0.8 s longer than the ring; its progress is not reported yet.
      #expect(rig.next("queueExhausted", within: 30) != nil)
      #expect(rig.holdsUnlessLate(rig.radio.status.heard > 8))
    }
  }

  @Test("Threads that wait for each other are detected after 5 s, reported, counted and woken")
  func rescue() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      let engine = try #require(rig.radio.engine as? Engine)
      // Simulates a fault: the render thread parks only when no station plays.
      engine.board.pointee.renderOrder.store(.initial, ordering: .releasing)
      #expect(rig.run(2) { engine.render.state == .parked })
      let frames = engine.board.pointee.playedFrames.load(ordering: .relaxed)
      guard case .rescued(let held, let waits) = rig.next("rescued", within: 13) else {
        Issue.record("nobody noticed")
        return
      }
      #expect(held > 1 && waits.render == .parked && waits.net == .sound)
      #expect(rig.run(2) { engine.board.pointee.playedFrames.load(ordering: .relaxed) > frames })
      #expect(rig.radio.status.rescues == 1 && rig.radio.close().rescues == 1)
    }
  }
}
