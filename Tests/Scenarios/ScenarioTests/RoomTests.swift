import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// The maximum rate of a live station (R2.3), and a full ring (R2.6).
@Suite struct RoomTests {
  @Test("A real-time stream is never slowed, however much is buffered (R2.3)")
  func realTime() async throws {
    try await Stage.run(speed: 6) {
      let clip = Clip.long(60)
      let station = try ScriptedStation([
        .live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: Int(15 * clip.byteRate)), .stall,
      ])
      defer { station.close() }
      let bench = try NetBench()
      bench.isListening = false
      bench.tune(station.url())
      let began = monotonicSeconds()
      #expect(bench.run { bench.written > 55 })
      #expect(monotonicSeconds() - began < 50, "15 s of them came at once")
      #expect(bench.fullCount == 0)
    }
  }

  @Test("A server at full speed is slowed to real time, without loss")
  func fast() async throws {
    try await Stage.run(speed: 5) {
      let clip = Clip.long(60)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let bench = try NetBench()
      bench.isListening = false
      let began = monotonicSeconds()
      bench.tune(station.url())
      #expect(bench.run { bench.written > 20 })
      // Tolerance: one read, and the time between two polls.
      #expect(bench.written < 23 + monotonicSeconds() - began)
      bench.run(for: 10)
      #expect(bench.written > 26 && bench.written < 23 + monotonicSeconds() - began)
      bench.isListening = true
      #expect(bench.run { bench.readBytes.count >= clip.prefix(58).bytes.count })
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A full ring pauses the server, reports it, and loses nothing")
  func full() async throws {
    try await Stage.run(speed: 5) {
      let clip = Clip.long(60)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let bench = try NetBench(blockCount: 24)
      bench.isListening = false
      bench.tune(station.url())
      #expect(bench.run { bench.fullCount == 1 })
      let held = bench.written
      #expect(held > 5 && held < 12)
      bench.run(for: 11)
      #expect(bench.fullCount == 2 && bench.written == held, "told again while it lasts")
      bench.isListening = true
      #expect(bench.run { bench.readBytes.count >= clip.prefix(30).bytes.count })
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A continuous ring drops the oldest audio, and playback resumes there")
  func continuous() async throws {
    try await Stage.run(speed: 5) {
      let clip = Clip.long(60)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 0), .stall])
      defer { station.close() }
      let bench = try NetBench(blockCount: 24)
      bench.isListening = false
      bench.tune(station.url()) { $0.isContinuous = true }
      #expect(bench.run(90) { bench.written > 55 })
      #expect(bench.fullCount == 0)
      bench.readAll()
      #expect(bench.readBytes.count > Int(4 * clip.byteRate) && bench.readBytes.count < Int(20 * clip.byteRate))
      let last = Data(clip.bytes).range(of: Data(bench.readBytes.suffix(20_000)))
      #expect(try #require(last).upperBound > clip.prefix(54).bytes.count, "what is newest is heard last, whole")
    }
  }

  @Test("A station that stalls at a full ring plays at once (R2.2)")
  func fullAndStill() async throws {
    try await Stage.run {
      // 19 packets fill 5 of 16 blocks; a read needs 12 free blocks.
      let station = try ScriptedStation([.live(), .send(ToneMp3.frames(20, kilobits: 320)), .stall])
      defer { station.close() }
      var settings = RadioSettings.bench
      (settings.blockCount, settings.startPolicy) = (16, .fixed)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      guard case .playing(_, let latency, _) = rig.next("playing") else {
        Issue.record("\(rig.names)")
        return
      }
      #expect(rig.holdsUnlessLate(latency < 0.5), "\(latency) s")
    }
  }
}
