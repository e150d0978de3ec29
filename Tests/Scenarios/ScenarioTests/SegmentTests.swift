import Http
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct SegmentTests {
  private static let clip = Clip.long(400)

  /// Expects the station's packets from segment `first` on without a gap, until `seconds` are received.
  static func expectWhole(
    _ bench: NetBench, _ station: SegmentedStation, seconds: Double, from first: Int = 3
  ) {
    let isThere = bench.run(240) { bench.written >= seconds }
    bench.readAll()
    let (heard, whole) = (bench.readBytes, station.bytes(first..<200))
    let same = zip(heard, whole).prefix { $0 == $1 }.count
    #expect(isThere && same == heard.count, "\(same) of \(heard.count) bytes are the same, \(bench.written) s came")
  }

  @Test("A station starts three target durations back, and its segments are one stream (H3)")
  func plays() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip)
      defer { station.close() }
      let (bench, punctuality) = (try NetBench(), Punctuality())
      bench.tune(station.url)
      #expect(bench.waitForConnection())
      Self.expectWhole(bench, station, seconds: 60)
      #expect(bench.stitches.isEmpty && bench.faults.isEmpty && bench.reasons.isEmpty)
      #expect(punctuality.holdsUnlessLate(station.listCount <= 16), "one a target duration: \(station.listCount)")
    }
  }

  @Test("A connection broken in a segment loses nothing", arguments: [10, 5_000, 20_000])
  func cuts(_ byteCount: Int) async throws {
    try await Stage.run(speed: 8) {
      let broken = Locked<Set<Int>>([])
      let bytes = Self.clip.bytes
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard case .segment(let number) = request, [4, 5, 8].contains(number),
          broken.withLock({ $0.insert(number).inserted })
        else { return nil }
        let first = SegmentedStation.byteOffset(of: number, in: Self.clip, length: 4)
        return [.file(32_000), .send(Array(bytes[first..<first + byteCount])), .wait(0.5), .reset]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 40)
    }
  }

  @Test(
    "A refused segment is skipped once two others follow it, and the gap is reported",
    arguments: [404, 503])
  func refused(_ status: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        request == .segment(6) ? StationAction.response("\(status) No") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.written >= 30 })
      bench.readAll()
      let isWhole = (station.bytes(3..<6) + station.bytes(7..<100)).starts(with: bench.readBytes)
      #expect(isWhole)
      #expect(bench.stitches.map { $0.lost.seconds } == [4] && bench.stitches.allSatisfy { !$0.isExact })
      #expect((3...13).contains(station.server.visits.count { $0.path.hasSuffix("/6.mp3") }))
    }
  }

  @Test("A list stalled for several target durations is joined again", arguments: [1, 2, 3, 4, 6, 10])
  func stands(_ count: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 20) { _, request, air in
        request == .list && (8..<8 + count).contains(air.count) ? air.list(to: 7) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 50)
      #expect(bench.stitches.allSatisfy { $0.isExact })
      // At three, the result depends on the time of the last playlist request.
      #expect(count == 3 || bench.reasons.isEmpty == (count < 3), "\(bench.reasons)")
    }
  }

  @Test("A list past the next segment continues after a gap")
  func passed() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 4) { _, request, air in
        request == .list && (8..<16).contains(air.count) ? StationAction.response("503 Busy") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(240) { bench.written >= 40 })
      bench.readAll()
      let lost = bench.stitches.map(\.lost.seconds).reduce(0, +)
      #expect(lost >= 8 && bench.stitches.contains { !$0.isExact }, "\(bench.stitches)")
    }
  }

  @Test("A packager that restarts its count is joined by packets", arguments: [0, 3])
  func restarts(_ sequence: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, aired: 40) { _, request, air in
        request == .list && air.count >= 44 ? air.list(sequence: sequence + air.count - 44) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 50, from: 37)
      #expect(bench.stitches.allSatisfy { $0.isExact } && !bench.stitches.isEmpty, "\(bench.stitches)")
    }
  }

  @Test("A finished list plays from its beginning to its end")
  func finished() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, aired: 5, window: 5) { _, request, air in
        request == .list ? air.list(to: 5, tail: "#EXT-X-ENDLIST\n") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      bench.readAll()
      #expect(bench.readBytes == station.bytes(0..<5) && station.listCount == 1)
    }
  }

  @Test(
    "The best playable variant is used, or the next one if it fails",
    arguments: [(nil, ["/gone/live.m3u8", "/here/live.m3u8"]), (64_000, ["/low/live.m3u8", "/low/live.m3u8"])])
  func variants(_ maxBitRate: Int?, _ expected: [String]) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, _, _ in
        guard visit.path == "/master.m3u8" else {
          return visit.path == "/gone/live.m3u8" ? StationAction.response("404 No") : nil
        }
        return StationAction.response(
          "200 OK",
          """
          #EXTM3U
          #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.34"
          low/live.m3u8
          #EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS="mp4a.40.34"
          here/live.m3u8
          #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
          gone/live.m3u8
          #EXT-X-STREAM-INF:BANDWIDTH=256000,CODECS="mp4a.40.42"
          usac/live.m3u8
          """, type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/master.m3u8")) { $0.maxBitRate = maxBitRate }
      Self.expectWhole(bench, station, seconds: 20)
      let lists = station.server.visits.map(\.path).filter { $0.hasSuffix("live.m3u8") }
      #expect(Array(lists.prefix(2)) == expected)
      let facts = bench.facts?.segments
      #expect(bench.facts?.container == .packed && facts?.targetDuration.seconds == 4 && facts?.window.seconds == 24)
      #expect(facts?.variants.count == 3)
      #expect(facts?.variant?.text == (maxBitRate == nil ? "96 kbit/s mp4a.40.34" : "64 kbit/s mp4a.40.34"))
    }
  }

  @Test(
    "An unsupported codec is refused by name",
    arguments: [
      ("#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.42\"\na.m3u8\n", "xHE-AAC"),
      ("#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"ac-3\"\na.m3u8\n", "Dolby Digital"),
      ("#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:4,\n0.mp3\n", "SAMPLE-AES"),
    ])
  func refusals(_ list: String, _ name: String) async throws {
    try await Stage.run {
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        request == .list ? StationAction.response("200 OK", "#EXTM3U\n" + list, type: "application/x-mpegurl") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(10) { !bench.faults.isEmpty })
      #expect(bench.faults.first?.sentence.contains(name) == true, "\(bench.faults.map(\.sentence))")
      #expect(bench.faults.first?.category == .badContent)
    }
  }

  @Test("A rested station joins its buffer on resume")
  func rests() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 8)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { bench.written >= 16 })
      bench.net.rest()
      #expect(bench.waitForCommands())
      let count = station.server.visits.count
      bench.run(for: 10)
      #expect(station.server.visits.count == count, "nothing is asked for")
      bench.net.resume()
      Self.expectWhole(bench, station, seconds: 40)
    }
  }

  @Test("An HLS list is recognised by any tag in it", arguments: [false, true])
  func lateTag(isFile: Bool) async throws {
    try await Stage.run(speed: 4) {
      let comments = (0..<200).map { "# a comment, number \($0), that says nothing\n" }.joined()
      let clip = Clip.aac(8)
      let station = try ScriptedStation { visit in
        if visit.path == "/a.aac" { return StationAction.file(clip.bytes) }
        let head = StationAction.head(
          "200 OK", ["Content-Type: audio/x-mpegurl"] + (isFile ? ["Accept-Ranges: bytes"] : []))
        return [
          head, .text("#EXTM3U\n" + comments + "#EXTINF:8,\n/a.aac\n#EXT"), .wait(0.2), .text("-X-ENDLIST\n"),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      bench.readAll()
      let isSame = bench.readBytes == clip.bytes
      #expect(isSame && station.visits.map(\.path) == ["/live", "/a.aac"])
    }
  }

  @Test("Credentials go to no other host, not even with the list")
  func secrets() async throws {
    try await Stage.run(speed: 8) {
      let other = try SegmentedStation(Self.clip)
      defer { other.close() }
      let station = try ScriptedStation { _ in
        StationAction.redirect(other.server.url("/live.m3u8", host: "localhost"))
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url()) {
        $0.headers = ["X-Key: secret"]
        $0.credentials = Credentials(name: "me", password: "secret")
      }
      #expect(bench.run { bench.written >= 24 && other.listCount >= 3 })
      #expect(station.visits.first?.header("X-Key") == "secret")
      let told = other.server.visits.filter { $0.header("X-Key") != nil || $0.header("Authorization") != nil }
      #expect(told.isEmpty, "\(told.map(\.path))")
    }
  }

  @Test("A redirected refresh does not forward credentials")
  func secretsOfRefresh() async throws {
    try await Stage.run(speed: 8) {
      let other = try SegmentedStation(Self.clip)
      defer { other.close() }
      let station = try SegmentedStation(Self.clip) { visit, request, _ in
        request == .list && visit.number > 0
          ? StationAction.redirect(other.server.url("/live.m3u8", host: "localhost")) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url) {
        $0.headers = ["X-Key: secret"]
        $0.query = ["token=secret"]
      }
      #expect(bench.run { bench.written >= 30 && other.listCount >= 3 })
      let told = other.server.visits.filter { $0.head.contains("secret") }
      #expect(told.isEmpty && !station.server.visits.contains { $0.path.contains("secret&") })
    }
  }

  /// A station whose playlist ends after segment 8, until `count` segments are complete.
  private static func ending(_ last: String, until count: Int = .max, sequence: Int? = nil) throws -> SegmentedStation {
    try SegmentedStation(clip) { _, request, air in
      if request == .segment(8), last == "404" { return StationAction.response("404 No") }
      guard request == .list, air.count >= 9 else { return nil }
      if air.count >= count { return air.list(sequence: sequence.map { $0 + air.count - count }) }
      let tail = last == "gap" ? "#EXT-X-GAP\n#EXTINF:4,\n9.mp3\n" : ""
      return air.list(to: 9, tail: tail + "#EXT-X-ENDLIST\n")
    }
  }

  @Test(
    "A station that announces an end is retried, whatever its last segment (R4.1)",
    arguments: ["good", "404", "gap"])
  func endsLater(_ last: String) async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.ending(last)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(120) { bench.reasons.count > 3 }, "\(bench.faults)")
      let isLive = bench.notices.compactMap { if case .connected(let facts) = $0.notice { facts.isLive } else { nil } }
      #expect(!isLive.isEmpty && isLive.allSatisfy { $0 } && !bench.notices.contains { $0.notice == .complete })
      bench.readAll()
      #expect(station.bytes(3..<9).starts(with: bench.readBytes) && bench.readBytes.count >= station.bytes(3..<8).count)
      #expect(bench.stitches.allSatisfy { $0.overlap == .zero }, "\(bench.stitches)")
    }
  }

  @Test("A station that ended and restarts plays again without repeats", arguments: [nil, 0, 3])
  func beginsAgain(_ sequence: Int?) async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.ending("good", until: 12, sequence: sequence)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 60)
      #expect(bench.stitches.allSatisfy { $0.lost == .zero } && bench.reasons.count >= 1)
    }
  }

  @Test("A finished list without segments is refused", arguments: ["", "#EXT-X-GAP\n#EXTINF:4,\n0.mp3\n"])
  func nothing(_ segments: String) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segments)#EXT-X-ENDLIST\n"
        return request == .list ? StationAction.response("200 OK", list, type: "application/x-mpegurl") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { !bench.faults.isEmpty })
    }
  }

  @Test("Segments without audio are fetched with pauses")
  func flood() async throws {
    try await Stage.run {
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard request == .list else { return StationAction.file([]) }
        let list = (0..<1_000).map { "#EXTINF:0,\n\($0).mp3\n" }.joined()
        return StationAction.response(
          "200 OK", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + list, type: "application/x-mpegurl")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      bench.run(for: 6)
      #expect(station.server.visits.count <= 24, "four a second: \(station.server.visits.count)")
    }
  }
}
