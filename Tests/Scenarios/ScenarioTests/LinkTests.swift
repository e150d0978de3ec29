import Foundation
import MediaSupport
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@testable import Http
@testable import Network

/// The machine loses and regains its network, in a network namespace (R4.1).
@Suite(.enabled(if: Namespace.isPermitted, "this machine lets nobody but root make network namespaces"))
struct LinkTests {
  @Test("A returning network retries a station at once")
  func reconnects() async throws {
    try await Stage.run(speed: 16) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let clip = Clip.long(400)
      let station = try ScriptedStation(StationAction.onAir(clip, burst: 5))
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.waitForConnection())
      bench.run(for: 5)
      try Namespace.setLoopback(isUp: false)
      let delay = bench.next(within: 400) { notice -> Double? in
        if case .reconnecting(_, let delay, _) = notice, delay.seconds > 15 { delay.seconds } else { nil }
      }
      let (planned, since) = (try #require(delay), monotonicSeconds())
      #expect(bench.faults.count { $0.category == .noNetwork } == 1, "told once")
      #expect(bench.faults.contains { $0.category == .timeoutExceeded })
      try Namespace.setLoopback(isUp: true)
      #expect(bench.run { station.visits.count > 1 })
      #expect(monotonicSeconds() - since < planned * 0.6)
      #expect(bench.nextStitch() != nil)
    }
  }

  @Test("A returning network resumes a waiting file, and each outage is reported once")
  func fileGoesOn() async throws {
    try await Stage.run(speed: 16) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let clip = Clip.long(900)
      let file = FileServer(clip.bytes)
      let station = try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
        // Paced, because the kernel would deliver buffered data during the outage.
        file.actions(for: visit).map { act in
          guard case .send(let bytes) = act else { return act }
          return .pace(bytes, perSecond: clip.byteRate * 1.5, burst: Int(5 * clip.byteRate))
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.waitForConnection())
      bench.run(for: 5)
      try Namespace.setLoopback(isUp: false)
      let delay = bench.next(within: 2_000) { notice -> Double? in
        if case .reconnecting(_, let delay, _) = notice, delay.seconds > 15 { delay.seconds } else { nil }
      }
      let (planned, since, written) = (
        try #require(delay, "\(bench.notices.suffix(4))"), monotonicSeconds(), bench.written
      )
      #expect(bench.faults.count { $0.category == .noNetwork } == 1)
      try Namespace.setLoopback(isUp: true)
      #expect(bench.run { bench.written > written + 1 })
      #expect(monotonicSeconds() - since < planned * 0.6, "\(bench.notices.suffix(8))")
      try Namespace.setLoopback(isUp: false)
      #expect(bench.run(1_000) { bench.faults.count { $0.category == .noNetwork } == 2 })
    }
  }

  @Test("A connection silenced by a network change is replaced within two seconds")
  func silent() async throws {
    try await Stage.run(speed: 4) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 10)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live()] + broadcast.actions(visit, for: 2) + [.stall] : [.live()] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { bench.written > 11.8 })
      bench.run(for: 1.5)
      try Namespace.setLoopback(isUp: false)
      try Namespace.setLoopback(isUp: true)
      #expect(bench.run { station.visits.count == 2 })
      #expect(bench.reasons == ["The network has changed."])
      #expect(try #require(bench.nextStitch()).isExact)
    }
  }

  @Test("A connection broken without a network is reported as such to programs, display and people")
  func noWay() async throws {
    try await Stage.run {
      try Namespace.enter()
      let faults = AddressFaults("http://radio.example/", host: "radio.example", hasCredentials: false)
      for error: NetworkError in [.hostNotFound, .namesDenied, .connectTimeout, .refused, .reset] {
        let fault = faults.error(error)
        #expect(fault == faults.noNetwork && fault.cause == .noNetwork)
        #expect(fault.sentence.hasPrefix("This machine is offline and cannot reach radio.example;"))
      }
      #expect(faults.error(.badAnswer).cause == .badAnswer)
    }
  }

  @Test("A short network loss is withdrawn by the next packet")
  func awayForAMoment() async throws {
    try await Stage.run {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let broadcast = Broadcast(Clip.long(60), burst: 10)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let bench = try NetBench()
      // This address also means the local machine, but is not recognised as loopback.
      bench.tune(station.url(host: "0.0.0.0"))
      #expect(bench.waitForConnection())
      #expect(bench.run { bench.written > 11 })
      try Namespace.setLoopback(isUp: false)
      #expect(bench.run { bench.faults.contains { $0.cause == .noNetwork } })
      try Namespace.setLoopback(isUp: true)
      #expect(bench.waitForConnection(within: 5), "\(bench.notices.suffix(4))")
      #expect(station.visits.count == 1 && bench.reasons.isEmpty, "\(bench.reasons)")
    }
  }

  @Test("A network change breaks no newer connection")
  func freshFile() async throws {
    try await Stage.run(speed: 2) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let clip = Clip.long(60)
      // Less than the read-ahead at which the transfer pauses.
      let begin = Array(clip.bytes.prefix(16_000))
      let station = try ScriptedStation { visit in
        if visit.path == "/live" { return StationAction.onAir(clip, burst: 5) }
        return [.file(clip.bytes.count), .send(begin), .wait(4), .send(Array(clip.bytes.dropFirst(begin.count)))]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live"))
      #expect(bench.waitForConnection())
      try Namespace.setLoopback(isUp: false)
      try Namespace.setLoopback(isUp: true)
      bench.run(for: 0.5)
      bench.tune(station.url("/song.mp3"))
      #expect(bench.waitForConnection())
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      #expect(station.visits.count { $0.path == "/song.mp3" } == 1, "\(bench.reasons)")
    }
  }

  @Test(
    "A file's connection silenced by a network change resumes at its byte within two seconds",
    arguments: [3, 0.1])
  func silentFile(silence: Double) async throws {
    try await Stage.run(speed: 4) {
      try Namespace.enter()
      try Namespace.setLoopback(isUp: true)
      let clip = Clip.long(60)
      let file = FileServer(clip.bytes)
      let station = try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
        file.actions(for: visit, most: visit.number == 0 ? 100_000 : .max) + (visit.number == 0 ? [.stall] : [])
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/song.mp3"))
      #expect(bench.waitForConnection())
      #expect(bench.run { bench.written > 12.3 })
      bench.run(for: silence)
      #expect(station.visits.count == 1)
      try Namespace.setLoopback(isUp: false)
      try Namespace.setLoopback(isUp: true)
      let since = monotonicSeconds()
      #expect(bench.run { station.visits.count == 2 })
      #expect(monotonicSeconds() - since < 4, "the data timeout is 10 s")
      #expect(station.firstBytes == [nil, 100_000])
      #expect(bench.run { bench.readBytes.count >= clip.prefix(58).bytes.count })
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }
}
