import Foundation
import MediaSupport
import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A connection that closes in a long pause and reopens (R2.5, R2.6).
@Suite struct RestTests {
  @Test("A burst that covers the rest joins exactly; otherwise the loss is reported", arguments: [10.0, 40])
  func restsAndResumes(burst: Double) async throws {
    try await Stage.run(speed: 3) {
      let clip = Clip.long(120)
      let broadcast = Broadcast(clip, burst: burst)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let bench = try NetBench(blockCount: 600)
      bench.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 60) }
      #expect(bench.run { bench.written > burst + 3 })
      bench.isListening = false
      bench.net.rest()
      bench.net.rest()
      bench.run(for: 1)
      let held = bench.written
      bench.run(for: 24)
      #expect(bench.written == held, "nothing comes while it rests")
      #expect(station.visits.count == 1 && bench.reasons.isEmpty && bench.faults.isEmpty)
      let rested = monotonicSeconds()
      bench.net.resume()
      bench.net.resume()
      let stitch = try #require(bench.nextStitch())
      #expect(station.visits.count == 2)
      #expect(station.visits[1].time - rested < 3, "it is tried at once")
      if burst > 25 {
        #expect(stitch.isExact && stitch.lost == .zero && stitch.overlap.seconds > 8)
        bench.isListening = true
        bench.run(for: 10)
        bench.readAll()
        #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
      } else {
        #expect(!stitch.isExact && stitch.isEstimated && stitch.overlap == .zero)
        #expect(abs(stitch.lost.seconds - (25 - burst)) < 4)
      }
    }
  }

  @Test("A rest ends the retries of a lost station, and a resume restarts them")
  func endsTries() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(5)
      let station = try ScriptedStation { visit in visit.number == 0 ? [.live(), .send(clip.bytes)] : [] }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { station.visits.count == 3 })
      bench.net.rest()
      bench.run(for: 1)
      let count = station.visits.count
      bench.run(for: 8)
      #expect(station.visits.count == count)
      bench.net.resume()
      #expect(bench.run { station.visits.count >= count + 2 })
    }
  }

  @Test("A list interrupted by a rest is opened after it, however long")
  func restsOnList() async throws {
    try await Stage.run(speed: 8) {
      let (clip, isRead, isWell) = (Clip.long(12), Gate(), Gate())
      let type = "audio/x-mpegurl"
      let half = "[playlist]\nFile1=/new\n" + String(repeating: "; of which there is more\n", count: 200)
      let station = try ScriptedStation { visit in
        switch (visit.path, visit.number) {
        case ("/list", 0): StationAction.response("200 OK", "/old\n", type: type)
        case ("/list", _) where isWell.isOpen: StationAction.response("200 OK", "/new\n", type: type)
        case ("/list", _): [.head("200 OK", ["Content-Type: audio/x-scpls"]), .text(half), .open(isRead), .stall]
        case ("/old", 1): [.live(), .send(clip.bytes)]
        case ("/new", _): [.live(), .send(clip.bytes), .stall]
        default: StationAction.response("503 Sorry")
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/list"))
      #expect(bench.run { isRead.isOpen })
      bench.run(for: 0.5)
      bench.net.rest()
      bench.run(for: 40)
      isWell.open()
      let before = station.visits.count
      bench.net.resume()
      #expect(bench.run(30) { station.visits.last?.path == "/new" }, "\(station.visits.map(\.path))")
      #expect(station.visits.dropFirst(before).map(\.path) == ["/list", "/new"], "the first list is opened")
      #expect(!bench.faults.contains { $0.category == .urlNotFound }, "\(bench.faults.map(\.sentence))")
    }
  }

  @Test("Simultaneous orders are all applied")
  func atOnce() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(5)
      // Guarantees that no audio arrives before the command to rest, however late a thread is.
      let gate = Gate()
      let station = try ScriptedStation { _ in [.live(), .gate(gate), .send(clip.bytes), .stall] }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/1"))
      bench.net.rest()
      #expect(bench.waitForCommands())
      gate.open()
      bench.run(for: 5)
      #expect(bench.written == 0)
      bench.net.resume()
      #expect(bench.run { bench.written > 4.5 })
      bench.net.rest()
      bench.tune(station.url("/2"))
      #expect(bench.run { station.visits.last?.path == "/2" && bench.written > 4.5 })
      bench.tune(station.url("/3"))
      bench.net.resume()
      #expect(bench.run { station.visits.last?.path == "/3" && bench.written > 4.5 })
      bench.net.stop()
      bench.net.resume()
      let count = station.visits.count
      bench.run(for: 5)
      #expect(station.visits.count == count, "what was stopped does not begin by itself")
    }
  }

  @Test("A file's download does not rest")
  func file() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(20)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.waitForConnection())
      bench.net.rest()
      #expect(bench.next { $0 == .complete ? true : nil } == true)
      bench.readAll()
      #expect(bench.readBytes == clip.bytes && station.visits.count == 1)
    }
  }
}
