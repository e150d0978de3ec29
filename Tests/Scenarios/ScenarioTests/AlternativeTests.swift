import Http
import MediaSupport
import Network
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Other addresses of a station's programme (F1).
@Suite struct AlternativeTests {
  @Test(
    "After a lost connection and a failed retry, the next address continues to the byte",
    arguments: ["404", "reset", "silent"])
  func mirror(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 8)
      let main = try ScriptedStation { visit in
        if visit.number == 0 {
          return [.live()] + broadcast.actions(visit, for: 8) + (kind == "silent" ? [.stall] : [])
        }
        return kind == "404" ? StationAction.response("404 Not Found") : kind == "reset" ? [.reset] : [.stall]
      }
      let mirror = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer {
        main.close()
        mirror.close()
      }
      let bench = try NetBench()
      bench.tune(main.url()) { $0.alternatives = [AlternativeAddress(url: StationAddress(mirror.url()))] }
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero && !stitch.isEstimated)
      #expect(bench.run { bench.written > 25 })
      #expect(mirror.visits.count == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("If the listener's address cannot be reached at first, the alternatives are tried in order (F1)")
  func first() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let gone = try ScriptedStation(StationAction.response("404 Not Found"))
      let mirror = try ScriptedStation { _ in StationAction.onAir(clip) }
      defer {
        gone.close()
        mirror.close()
      }
      let bench = try NetBench()
      bench.tune(gone.url("/a")) { request in
        request.alternatives = [gone.url("/b"), mirror.url("/c")].map { AlternativeAddress(url: StationAddress($0)) }
      }
      #expect(bench.run { bench.written > 5 })
      #expect(gone.visits.map(\.path) == ["/a", "/b"] && mirror.visits.map(\.path) == ["/c"])
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test(
    "The entries of a list continue to the byte, also without the list (F1)", arguments: ["404", "silent"])
  func entries(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 8)
      let mirror = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      let urls = Locked<[String]>([])
      let main = try ScriptedStation { visit in
        switch visit.number {
        case 0: StationAction.response("200 OK", urls.withLock { $0.joined(separator: "\n") }, type: "audio/x-mpegurl")
        case 1: [.live()] + broadcast.actions(visit, for: 8) + (kind == "silent" ? [.stall] : [])
        default: kind == "silent" ? [.stall] : StationAction.response("404 Not Found")
        }
      }
      defer {
        main.close()
        mirror.close()
      }
      urls.withLock { $0 = [main.url(), mirror.url()] }
      let bench = try NetBench()
      bench.tune(main.url("/list.m3u"))
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact && stitch.lost == .zero)
      #expect(bench.run { bench.written > 25 })
      #expect(main.visits.map(\.path) == ["/list.m3u", "/live", "/live"] && mirror.visits.count == 1)
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A silent station has at most three connections, two to one host, and one try of an address a second")
  func load() async throws {
    try await Stage.run(speed: 2) {
      let addresses = try SilentAddresses(delivering: 1)
      defer { addresses.close() }
      let bench = try NetBench()
      bench.tune(addresses.urls[0]) { request in
        request.alternatives = addresses.urls.dropFirst().map { AlternativeAddress(url: StationAddress($0)) }
      }
      let most = try #require(addresses.maxConnections(on: bench, tries: 10))
      #expect(most.all == 3 && most.host == 2, "\(most)")
      addresses.expectPauses()
      #expect(addresses.triedCount == 4, "each address is tried")
    }
  }

  @Test("The secrets of an alternative reach its server only, and no notice")
  func secrets() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let gone = try ScriptedStation(StationAction.response("404 Not Found"))
      let mirror = try ScriptedStation { visit in
        visit.number == 0 ? StationAction.response("503 Busy") : StationAction.onAir(clip)
      }
      defer {
        gone.close()
        mirror.close()
      }
      let bench = try NetBench()
      bench.tune(gone.url()) { request in
        (request.headers, request.query) = (["X-Key: owngeheim"], ["token=owngeheim"])
        var other = AlternativeAddress(url: StationAddress(mirror.url("/live?key=urlgeheim")))
        (other.headers, other.query) = (["X-Key: geheim"], ["token=geheim"])
        other.credentials = Credentials(name: "anna", password: "geheim")
        request.alternatives = [other]
        #expect(!"\(other) \(request)".contains("geheim") && !String(reflecting: request).contains("geheim"))
      }
      #expect(bench.run { bench.written > 5 })
      #expect(gone.visits.allSatisfy { $0.header("X-Key") == "owngeheim" && $0.header("Authorization") == nil })
      #expect(mirror.visits.count == 2)
      for visit in mirror.visits {
        #expect(visit.path == "/live?key=urlgeheim&token=geheim" && visit.header("X-Key") == "geheim")
        #expect(visit.header("Authorization")?.hasPrefix("Basic ") == true)
      }
      let texts = bench.notices.map { "\($0.notice)" } + bench.reasons + bench.faults.map(\.sentence)
      #expect(texts.contains { $0.contains("127.0.0.1") } && texts.allSatisfy { !$0.contains("geheim") })
    }
  }

  @Test("An ended HLS list at another address does not replace a station", arguments: [false, true])
  func ended(isSegmented: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 8)
      let isBack = Gate()
      let main = try ScriptedStation { visit in
        if visit.number == 0 { return [.live()] + broadcast.actions(visit, for: 8) }
        return isBack.isOpen ? [.live()] + broadcast.actions(visit) : StationAction.response("404 Not Found")
      }
      let segments = try SegmentedStation(clip) { visit, _, _ in
        broadcast.age(visit) < 10 || isBack.isOpen ? nil : StationAction.response("404 Not Found")
      }
      let recording = try SegmentedStation(Clip.long(40, seed: 9)) { _, request, air in
        request == .list ? air.list(tail: "#EXT-X-ENDLIST\n") : nil
      }
      defer {
        main.close()
        segments.close()
        recording.close()
      }
      let bench = try NetBench()
      bench.tune(isSegmented ? segments.url : main.url()) {
        $0.alternatives = [AlternativeAddress(url: StationAddress(recording.url))]
      }
      #expect(bench.run { recording.listCount >= 2 })
      isBack.open()
      let written = bench.written
      #expect(bench.run { bench.written > written + 10 })
      #expect(recording.server.visits.allSatisfy { $0.path.hasSuffix("m3u8") })
      #expect(!bench.notices.contains { $0.notice == .complete })
    }
  }
}
