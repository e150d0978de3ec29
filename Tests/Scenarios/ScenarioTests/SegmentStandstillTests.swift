import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct SegmentStandstillTests {
  private static let clip = Clip.long(400)

  private static func file(_ number: Int) -> [UInt8] {
    SegmentedStation.segmentBytes(of: number, in: clip, length: 4)
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// True if all its audio arrives.
    var isWhole: Bool
    var acts: @Sendable ([UInt8]) -> [StationAction]
  }

  private static let failures = [
    Failure(testDescription: "a length that is too large", isWhole: true) { [.file($0.count + 1_000), .send($0)] },
    Failure(testDescription: "a chunk that never ends", isWhole: true) {
      [
        .head("200 OK", ["Transfer-Encoding: chunked"]), .text(String($0.count + 100, radix: 16) + "\r\n"), .send($0),
        .stall,
      ]
    },
    Failure(testDescription: "a connection that breaks", isWhole: false) { _ in [.reset] },
    Failure(testDescription: "half of it, and silence", isWhole: false) {
      [.file($0.count), .send(Array($0.prefix($0.count / 2))), .stall]
    },
  ]

  @Test("An endless segment is left, and the next one plays", arguments: failures, [false, true])
  func left(_ failure: Failure, isEnded: Bool) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, aired: 12, window: 12) { _, request, air in
        switch request {
        case .segment(11): failure.acts(Self.file(11))
        case .list where isEnded: air.list(to: 14, tail: "#EXT-X-ENDLIST\n")
        default: nil
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url) { if isEnded { $0.start = StreamTime(seconds: 36) } }
      let last = Clip(Self.file(13)).packets.dropLast()
      #expect(bench.run(120) { bench.readBytes.suffix(60_000).contains(last.last?.bytes ?? []) }, "\(bench.reasons)")
      let count = station.server.visits.count { $0.path.hasSuffix("/11.mp3") }
      #expect((3...(isEnded ? 40 : 14)).contains(count), "\(count)")
      let lost = bench.stitches.reduce(0) { $0 + $1.lost.seconds }
      #expect(failure.isWhole ? lost == 0 : lost > 1.5 && lost < 4.5, "\(bench.stitches)")
    }
  }

  @Test("A trickling segment is requested again, and left at the second trickle", arguments: [1, 100])
  func trickles(_ count: Int) async throws {
    try await Stage.run(speed: 8) {
      let asked = Locked(0)
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        guard request == .segment(6) else { return nil }
        let number = asked.withLock {
          $0 += 1
          return $0
        }
        let file = Self.file(6)
        return number <= count ? [.file(file.count), .pace(file, perSecond: 100, burst: 0)] : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.readBytes.count > station.bytes(3..<9).count }, "\(bench.reasons)")
      if count == 1 {
        #expect(station.bytes(3..<100).starts(with: bench.readBytes))
      } else {
        #expect(bench.stitches.contains { $0.lost > .zero })
      }
    }
  }

  @Test("A list ahead of its servers loses nothing", arguments: [1, 2])
  func early(_ count: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, request, air in
        switch request {
        case .list: air.list()
        case .segment(let number):
          number >= air.count - count && number >= 6 ? StationAction.response("404 Not Found") : nil
        default: nil
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 60)
      #expect(bench.stitches.isEmpty && bench.faults.isEmpty, "\(bench.stitches)")
    }
  }

  @Test("A segment that leaves the list in transfer plays, and the reported gap is real")
  func overtaken() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 3) { _, request, _ in
        guard case .segment(let number) = request, (6...7).contains(number) else { return nil }
        let file = Self.file(number)
        return [.file(file.count), .pace(file, perSecond: 2_000, burst: 0)]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.isListening = false
      bench.tune(station.url)
      #expect(bench.run(90) { station.server.visits.contains { $0.path.hasSuffix("/20.mp3") } })
      bench.readAll()
      let asked = Set(
        station.server.visits.compactMap { visit in
          visit.path.hasSuffix(".mp3") ? Int(visit.path.dropFirst().prefix { $0.isNumber }) : nil
        })
      let missing = (3...20).filter { !asked.contains($0) }
      let lost = bench.stitches.reduce(0) { $0 + $1.lost.seconds }
      #expect(abs(lost - 4 * Double(missing.count)) < 0.5, "\(lost) s, \(missing): \(bench.stitches)")
      #expect(!missing.isEmpty && bench.reasons.isEmpty)
    }
  }

  @Test("A segment that leaves the list with little buffered plays to its end")
  func overtakenLate() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 2) { _, request, _ in
        guard request == .segment(6) else { return nil }
        let file = Self.file(6)
        return [.file(file.count), .pace(file, perSecond: Double(file.count) / 10.5, burst: 0)]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 40, from: 4)
      #expect(bench.stitches.isEmpty && bench.reasons.isEmpty, "\(bench.stitches)")
    }
  }

  @Test(
    "A station that never sends audio is given up (R4.3)",
    arguments: [
      "#EXTINF:4,\nhttp://127.0.0.1:25/N.mp3\n", "#EXTINF:4,\nfile:///etc/N\n", "#EXTINF:4,\nftp://x/N\n",
      "#EXT-X-GAP\n#EXTINF:4,\nN.mp3\n",
    ])
  func nothing(_ line: String) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, request, air in
        guard request == .list else { return nil }
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(air.count)\n"
        for number in air.count..<air.count + 6 { text += line.replacing("N", with: "\(number)") }
        return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl")
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      let isGivenUp = bench.run(90) {
        bench.notices.contains { if case .fault(_, isFinal: true) = $0.notice { true } else { false } }
      }
      #expect(isGivenUp && bench.stitches.isEmpty, "\(bench.reasons)")
    }
  }
}
