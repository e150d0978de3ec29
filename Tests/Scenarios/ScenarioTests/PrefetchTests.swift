import AudioOutput
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Stations that are received in advance (B5).
@Suite struct PrefetchTests {
  private static let clip = Clip.long(240)

  /// A live station with a burst of two seconds.
  private static func station() throws -> ScriptedStation {
    let broadcast = Broadcast(clip, burst: 2)
    return try ScriptedStation { visit in
      let fields = ["Content-Type: audio/mpeg", "icy-name: \(visit.path.dropFirst())"]
      return [.head("200 OK", fields)] + broadcast.actions(visit)
    }
  }

  private static func requests(_ urls: String...) -> PrefetchRule { PrefetchRule(urls.map { StationRequest(url: $0) }) }

  /// A bench that listens to `url`, and receives `neighbours` in advance.
  private static func bench(_ url: String, _ neighbours: PrefetchRule) throws -> NetBench {
    let bench = try NetBench(standbyCount: 3)
    bench.tune(url)
    try #require(bench.waitForConnection())
    bench.net.prefetch(neighbours)
    return bench
  }

  @Test("A change to a neighbour needs no connection, starts at live, and its packets follow without a gap (B5)")
  func change() async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station()
      defer { station.close() }
      let bench = try Self.bench(station.url("/a"), Self.requests(station.url("/b")))
      #expect(bench.run(20) { station.visits.count == 2 })
      bench.run(for: 20)
      let read = bench.readBytes.count
      bench.tune(station.url("/b"))
      try #require(bench.waitForConnection())
      // The notices precede the audio.
      #expect(bench.facts?.name == "b" && bench.run(5) { bench.ahead >= 1 }, "\(bench.ahead)")
      bench.run(for: 10)
      let heard = Array(bench.readBytes[read...])
      #expect(station.visits.map(\.path) == ["/a", "/b"])
      let place = try #require(Self.clip.bytes.place(of: Array(heard.prefix(4_000))))
      #expect(difference(heard, beginningOf: Array(Self.clip.bytes[place...])) == nil)
      #expect(Double(heard.count) / Self.clip.byteRate > 8)
      // The start of the standby time is long past.
      #expect(Double(place) / Self.clip.byteRate > 15)
      #expect(bench.faults.isEmpty && bench.stitches.isEmpty)
    }
  }

  @Test("The station before is received for a minute, so that a step back needs no connection; then it is closed (B5)")
  func back() async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.station()
      defer { station.close() }
      let bench = try Self.bench(station.url("/a"), Self.requests(station.url("/b")))
      #expect(bench.run(20) { station.visits.count == 2 })
      bench.run(for: 3)
      bench.net.prefetch(Self.requests(station.url("/c")))
      bench.tune(station.url("/b"))
      try #require(bench.waitForConnection())
      #expect(bench.run(20) { station.visits.count == 3 })
      bench.run(for: 30)
      bench.net.prefetch(Self.requests(station.url("/b")))
      bench.tune(station.url("/a"))
      try #require(bench.waitForConnection())
      bench.run(for: 5)
      #expect(station.visits.map(\.path) == ["/a", "/b", "/c"])
      bench.net.prefetch(Self.requests(station.url("/c")))
      bench.run(for: 70)
      #expect(bench.run(10) { station.connectionCount == 2 }, "\(station.connectionCount) connections are open")
      #expect(bench.faults.isEmpty)
    }
  }

  @Test("A change to a neighbour plays within 50 ms, with its events in the usual order (B5)")
  func radio() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.prefetchCount = 2
      let rig = try RadioRig(settings, to: OutputRequest(.null))
      rig.radio.prefetch(Self.requests(station.url("/b")))
      rig.tune(station.url("/a"))
      try #require(rig.next("playing") != nil)
      try #require(rig.run { station.visits.count == 2 })
      rig.run(for: 2)
      var latencies: [Double] = []
      for name in ["b", "a", "b", "a"] {
        let count = rig.events.count
        rig.radio.prefetch(Self.requests(station.url(name == "a" ? "/b" : "/a")))
        rig.tune(station.url("/\(name)"))
        guard case .playing(_, let latency, _) = try #require(rig.next("playing")) else { continue }
        latencies.append(latency)
        rig.run(for: 1)
        let names = rig.events[count...].map(\.event.name).filter { $0 != "metadataReceived" }
        #expect(Array(names.prefix(4)) == ["connecting", "buffering", "stationInfo", "playing"], "\(names)")
      }
      // A busy machine may be late at times, but not always.
      #expect((latencies.min() ?? 9) <= 0.05, "\(latencies)")
      #expect(station.visits.map(\.path) == ["/a", "/b"])
      _ = rig.radio.close()
    }
  }

  @Test("At the limit of bytes in an hour, nothing more is received in advance (B5)")
  func limit() async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station()
      defer { station.close() }
      var rule = Self.requests(station.url("/b"))
      rule.maxBytesPerHour = Int(20 * Self.clip.byteRate)
      let bench = try Self.bench(station.url("/a"), rule)
      #expect(bench.run(20) { station.visits.count == 2 })
      bench.run(for: 10)
      #expect(station.connectionCount == 2)
      #expect(bench.run(30) { station.connectionCount == 1 })
      bench.run(for: 10)
      #expect(station.visits.count == 2 && bench.faults.isEmpty)
    }
  }

  @Test("Ten changes in a second make at most two connections a second, and end at the right station (B5)")
  func turning() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let bench = try Self.bench(station.url("/0"), Self.requests(station.url("/1")))
      bench.run(for: 3)
      for number in 2...11 {
        bench.net.prefetch(Self.requests(station.url("/\(number + 1)"), station.url("/\(number - 1)")))
        bench.tune(station.url("/\(number)"))
        bench.run(for: 0.1)
      }
      try #require(bench.waitForConnection())
      #expect(bench.facts?.name == "11")
      bench.run(for: 2)
      let times = station.visits.map(\.time)
      #expect(zip(times, times.dropFirst(2)).allSatisfy { $1 - $0 > 0.9 }, "\(times)")
      #expect(times.count <= 8 && bench.facts?.name == "11", "\(times)")
    }
  }

  @Test("A stop ends all connections, and the next station starts as usual (B5)")
  func stop() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let bench = try Self.bench(station.url("/a"), Self.requests(station.url("/b")))
      #expect(bench.run(20) { station.visits.count == 2 })
      bench.net.stop()
      #expect(bench.run(10) { station.connectionCount == 0 })
      bench.tune(station.url("/b"))
      try #require(bench.waitForConnection())
      #expect(station.visits.count == 3)
      // The stopped station has no connection, and is not continued.
      bench.tune(station.url("/a"))
      try #require(bench.waitForConnection())
      #expect(station.visits.last?.path == "/a")
      let read = bench.readBytes.count
      bench.run(for: 6)
      #expect(Double(bench.readBytes.count - read) / Self.clip.byteRate > 4)
    }
  }

  private static let feed = """
    <?xml version="1.0"?><rss version="2.0"><channel><title>Talks</title><item><title>One</title>
    <enclosure url="http://127.0.0.1/one.mp3" type="audio/mpeg"/></item></channel></rss>
    """

  @Test("A neighbour that is a file or a podcast, or that refuses, is asked once and never heard (B5)")
  func unfit() async throws {
    try await Stage.run(speed: 8) {
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/file": StationAction.file(Clip.mp3(30).bytes)
        case "/gone": StationAction.response("404 Not Found")
        case "/feed": StationAction.file(Array(Self.feed.utf8))
        default: [.live()] + Broadcast(Self.clip, burst: 2).actions(visit)
        }
      }
      defer { station.close() }
      let bench = try Self.bench(
        station.url("/a"), Self.requests(station.url("/file"), station.url("/gone"), station.url("/feed")))
      bench.run(for: 60)
      #expect(Set(station.visits.map(\.path)) == ["/a", "/file", "/gone", "/feed"])
      #expect(station.visits.count { $0.path == "/feed" } == 1)
      #expect(station.visits.count { $0.path == "/file" } <= 2, "\(station.visits.map(\.path))")
      #expect(bench.faults.isEmpty && bench.run(10) { station.connectionCount == 1 })
    }
  }

  @Test("A neighbour by HLS is heard at once, without a request for its list or a segment heard twice (B5)")
  func segments() async throws {
    try await Stage.run(speed: 4) {
      let (main, hls) = (try Self.station(), try SegmentedStation(Clip.aac(120), length: 4, laps: 4))
      defer {
        main.close()
        hls.server.close()
      }
      let bench = try Self.bench(main.url("/a"), Self.requests(hls.server.url("/live.m3u8")))
      #expect(bench.run(30) { hls.server.visits.count >= 3 })
      bench.run(for: 20)
      let read = bench.readBytes.count
      bench.tune(hls.server.url("/live.m3u8"))
      try #require(bench.waitForConnection())
      #expect(bench.run(5) { bench.ahead >= 1 }, "\(bench.ahead)")
      bench.run(for: 20)
      let heard = Array(bench.readBytes[read...])
      let whole = Clip.aac(120).bytes + Clip.aac(120).bytes
      let place = try #require(whole.place(of: Array(heard.prefix(2_000))))
      #expect(difference(heard, beginningOf: Array(whole[place...])) == nil)
      let segments = hls.server.visits.map(\.path).filter { !$0.hasSuffix(".m3u8") }
      #expect(Set(segments).count == segments.count, "\(segments)")
    }
  }

  @Test("The first choice is received on while another station is chosen, even with memory for one station")
  func firstChoice() async throws {
    try await Stage.run(speed: 4) {
      let station = try Self.station()
      defer { station.close() }
      let bench = try NetBench(standbyCount: 1)
      bench.tune(station.url("/a"))
      try #require(bench.waitForConnection())
      bench.net.prefetch(PrefetchRule(firstChoice: StationRequest(url: station.url("/main"))))
      #expect(bench.run(20) { station.visits.count == 2 })
      bench.run(for: 5)
      bench.tune(station.url("/b"))
      try #require(bench.waitForConnection())
      bench.run(for: 5)
      bench.tune(station.url("/main"))
      try #require(bench.waitForConnection())
      bench.run(for: 5)
      #expect(station.visits.map(\.path) == ["/a", "/main", "/b"])
    }
  }
}

extension [UInt8] {
  /// The first place of `part`; nil without one.
  fileprivate func place(of part: [UInt8]) -> Int? {
    indices.first { $0 + part.count <= count && self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
