import Foundation
import MediaSupport
import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A second connection while the first is silent (R2.4).
@Suite struct SpareTests {
  @Test("Three silent seconds start a second connection, whose audio joins without a trace")
  func replacesSilentConnection() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 8)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live()] + broadcast.actions(visit, for: 10) + [.stall] : [.live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero && !stitch.isEstimated && stitch.overlap.seconds > 2)
      bench.run(for: 12)
      #expect(bench.reasons == ["127.0.0.1 sent nothing for 3 s."])
      #expect(bench.faults.isEmpty, "the listener need not know")
      #expect(station.visits.count == 2)
      #expect(bench.readBytes.count > Int(15 * clip.byteRate))
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A connection that resumes stays, and the other is closed")
  func oldOneWins() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let second = Int(clip.byteRate)
      let bytes = clip.bytes
      let station = try ScriptedStation { visit in
        if visit.number > 0 { return [.live(), .stall] }
        return [
          .live(), .send(Array(bytes[..<(10 * second)])), .wait(4.2),
          .pace(Array(bytes[(10 * second)...]), perSecond: clip.byteRate, burst: 4 * second),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { station.visits.count == 2 })
      #expect(bench.run { bench.written > 25 })
      #expect((2...3).contains(station.visits.count) && bench.stitches.isEmpty && bench.faults.isEmpty)
      #expect(bench.reasons.count == station.visits.count - 1)
      #expect(station.connectionCount == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("Without a response, connections are tried in turn, and the old one closes in time")
  func blackHole() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(120)
      let broadcast = Broadcast(clip, burst: 40)
      let isBack = Gate()
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return [.live()] + broadcast.actions(visit, for: 1) + [.stall] }
        return [.gate(isBack), .live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { station.visits.count == 14 })
      let back = monotonicSeconds()
      isBack.open()
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero)
      #expect(monotonicSeconds() - back < 2)
      #expect(bench.faults.allSatisfy { $0.category == .timeoutExceeded && $0.detail == .silence(seconds: 10) })
      #expect((1...3).contains(bench.faults.count))
      // At most one attempt per second; a late machine may shorten a measured pause.
      let pauses = station.pauses.dropFirst()
      #expect(pauses.allSatisfy { $0 > 0.5 })
      #expect(pauses.reduce(0, +) > Double(pauses.count) - 0.5 && pauses.reduce(0, +) < Double(pauses.count) * 2.5)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("The gap counts from the last byte, not from the end of the silent connection")
  func missing() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 2)
      let isBack = Gate()
      let station = try ScriptedStation { visit in
        // The data ends with a complete packet, but only the following silence proves its end.
        if broadcast.age(visit) == 0 { return StationAction.onAir(clip.prefix(8), burst: 2) }
        return isBack.isOpen ? [.live()] + broadcast.actions(visit) : [.stall]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { !bench.faults.isEmpty })
      isBack.open()
      let stitch = try #require(bench.nextStitch())
      let back = try #require(station.visits.last)
      #expect(stitch.isEstimated && abs(stitch.lost.seconds - (broadcast.age(back) - 8)) < 1)
    }
  }

  @Test("A refused spare is followed by the next, never two within a second", arguments: ["503", "FIN", "RST"])
  func refused(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 20)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live()] + broadcast.actions(visit, for: 1) + [.stall]
        case 5...: [.live()] + broadcast.actions(visit)
        default: kind == "503" ? StationAction.response("503 Busy") : kind == "FIN" ? [] : [.reset]
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      let tries = station.pauses.dropFirst()
      #expect(tries.count == 4 && tries.reduce(0, +) > 3.5 && tries.allSatisfy { $0 > 0.5 })
      #expect(bench.reasons.count == 5)
      #expect(bench.faults.filter { $0.category == .httpError }.count == (kind == "503" ? 4 : 0))
    }
  }

  @Test("A Retry-After for a second listener does not apply to the first (R4.1)")
  func refusedWhileTheFirstIsServed() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let (second, bytes) = (Int(clip.byteRate), clip.bytes)
      let broadcast = Broadcast(clip, burst: 20)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0:
          [
            .live(), .send(Array(bytes[..<(10 * second)])), .wait(4.2),
            .pace(Array(bytes[(10 * second)..<(20 * second)]), perSecond: clip.byteRate, burst: 4 * second),
          ]
        case 1: StationAction.response("503 Full", headers: ["Retry-After: 300"])
        default: [.live()] + broadcast.actions(visit)
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      let stitch = bench.nextStitch(within: 15)
      #expect(stitch?.isExact == true)
      #expect(station.visits.count == 3)
    }
  }

  @Test("A spare on its way replaces the closed connection")
  func replaces() async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 20)
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return [.live()] + broadcast.actions(visit, for: 1) + [.stall] }
        var late = visit
        late.time += 1.5
        return [.wait(1.5), .live()] + broadcast.actions(late)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 3_500) }
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(bench.faults.map(\.category) == [.timeoutExceeded])
      #expect((2...3).contains(station.visits.count))
      #expect(bench.notices.count { if case .connecting = $0.notice { true } else { false } } == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test(
    "A slow server is reached after all, with at most three connections", arguments: [1.5, 4])
  func slowToAnswer(seconds: Double) async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 20)
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return [.live()] + broadcast.actions(visit, for: 1) + [.stall] }
        var late = visit
        late.time += seconds
        return [.wait(seconds), .live()] + broadcast.actions(late)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { station.visits.count == 2 })
      let asked = monotonicSeconds()
      var most = 0
      #expect(
        bench.run {
          most = max(most, station.connectionCount)
          return !bench.stitches.isEmpty
        })
      #expect(monotonicSeconds() - asked < seconds + 4)
      #expect(try #require(bench.stitches.first).isExact)
      // One more connection may exist while it is being closed.
      #expect(most <= 4 && station.visits.count <= Int(seconds) + 4)
    }
  }

  @Test("A silent connection that resumes is reported, even after a refused spare")
  func speaksAfterRefusal() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let second = Int(clip.byteRate)
      let refused = Gate()
      let station = try ScriptedStation { visit in
        if visit.number > 0 { return StationAction.response("503 Busy") + [.open(refused)] }
        return [
          .live(), .send(Array(clip.bytes[..<(10 * second)])), .gate(refused),
          .pace(Array(clip.bytes[(10 * second)...]), perSecond: clip.byteRate, burst: 4 * second),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url()) { $0.retry = .times(1) }
      #expect(bench.waitForConnection())
      #expect(bench.run { !bench.reasons.isEmpty })
      #expect(bench.run { bench.written > 20 })
      bench.run(for: 1)
      let last = bench.notices.last {
        switch $0.notice {
        case .connected, .reconnecting: true
        default: false
        }
      }
      guard case .connected? = last?.notice else {
        Issue.record("the radio still believes that it tries")
        return
      }
    }
  }

  @Test("A spare's fault does not explain a later loss after another one delivered")
  func forgetsRefusal() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 20)
      let (isSecond, isRefused) = (Gate(), Gate())
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: return [.live()] + broadcast.actions(visit, for: 1) + [.stall]
        case 1: return [.gate(isSecond)] + StationAction.response("503 Busy") + [.open(isRefused)]
        default: break
        }
        // All connections are silent from 20 s after the first.
        let left = 20 - broadcast.age(visit)
        guard left > 0 else { return [.live()] + broadcast.actions(visit) }
        return [.open(isSecond), .gate(isRefused), .wait(0.5), .live()] + broadcast.actions(visit, for: left) + [.stall]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(bench.faults.map(\.category) == [.httpError])
      let before = bench.reasons.count
      #expect(bench.run { bench.reasons.count > before })
      #expect(bench.reasons.last == "127.0.0.1 sent nothing for 3 s.")
    }
  }

  @Test("The last packet of a stalled connection does not cancel the spare")
  func lastWords() async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.long(60)
      let station = try ScriptedStation { visit in
        switch visit.number {
        // The data ends with a complete packet, but only the end of the connection proves its end.
        case 0: StationAction.onAir(clip.prefix(21), burst: 20)
        case 1: [.wait(2.5)] + StationAction.onAir(clip, burst: 40)
        default: [.stall]
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 4_500) }
      #expect(bench.nextStitch() != nil)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A spare that leads to a playlist follows it")
  func playlist() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 20)
      let station = try ScriptedStation { visit in
        if visit.path == "/moved" { return [.live()] + broadcast.actions(visit) }
        if visit.number == 0 { return [.live()] + broadcast.actions(visit, for: 1) + [.stall] }
        return StationAction.response("200 OK", "#EXTM3U\n/moved\n", type: "audio/x-mpegurl")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(station.visits.map(\.path).suffix(2) == ["/live", "/moved"])
    }
  }

  @Test("A paused server, a refused retry and an unplayed station get no spare")
  func none() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let station = try ScriptedStation { visit in
        visit.path == "/silent" ? [.stall] : StationAction.onAir(clip)
      }
      defer { station.close() }
      let (full, once, silent) = (try NetBench(blockCount: 16), try NetBench(), try NetBench())
      full.isListening = false
      full.tune(station.url("/full"))
      once.tune(station.url("/once")) { $0.retry = .times(0) }
      silent.tune(station.url("/silent"))
      #expect(full.run(until: { full.fullCount == 1 }))
      full.run(for: 9)
      for bench in [once, silent] { bench.run(for: 0.1) }
      let told = silent.faults + full.faults + once.faults
      #expect(station.visits.count <= 3 + told.count)
      #expect(full.reasons.isEmpty && once.reasons.isEmpty)
      #expect(Set(station.visits.map(\.path)) == ["/full", "/once", "/silent"])
    }
  }
}
