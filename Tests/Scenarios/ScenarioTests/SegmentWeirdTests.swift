import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

@Suite struct SegmentWeirdTests {
  typealias Answer =
    @Sendable (ScriptedStation.Request, SegmentedStation.Request, SegmentedStation.BroadcastState) -> [StationAction]?

  private static let clip = Clip.long(400)

  private static func file(_ number: Int) -> [UInt8] {
    SegmentedStation.segmentBytes(of: number, in: clip, length: 4)
  }

  struct Quirk: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: Answer

    init(_ name: String, _ answer: @escaping Answer) { (testDescription, self.answer) = (name, answer) }
  }

  private static func segments(_ name: String, _ acts: @escaping @Sendable ([UInt8]) -> [StationAction]) -> Quirk {
    Quirk(name) { _, request, _ in
      guard case .segment(let number) = request else { return nil }
      return acts(file(number))
    }
  }

  private static func lists(_ name: String, _ acts: @escaping @Sendable (String) -> [StationAction]) -> Quirk {
    Quirk(name) { _, request, air in request == .list ? acts(air.text()) : nil }
  }

  private static func chunks(_ bytes: [UInt8], of count: Int) -> [StationAction] {
    let parts = stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
    let body = parts.flatMap { Array((String($0.count, radix: 16) + "\r\n").utf8) + $0 + Array("\r\n".utf8) }
    return [.send(body), .text("0\r\n\r\n")]
  }

  private static let hls = "Content-Type: application/vnd.apple.mpegurl"

  private static let quirks = [
    segments("segments without a length, up to the connection's end") { [.head(), .send($0)] },
    segments("segments of HTTP/1.0") { [.text("HTTP/1.0 200 OK\r\n\r\n"), .send($0)] },
    segments("segments in chunks") { [.head("200 OK", ["Transfer-Encoding: chunked"])] + chunks($0, of: 333) },
    segments("header lines that end in LF only") {
      [.text("HTTP/1.1 200 OK\nContent-Length: \($0.count)\nConnection: close\n\n"), .send($0)]
    },
    segments("segments said to be a page") {
      [.head("200 OK", ["Content-Type: text/html; charset=utf-8", "Content-Length: \($0.count)"]), .send($0)]
    },
    segments("segments said to be a list") { [.head("200 OK", [hls, "Content-Length: \($0.count)"]), .send($0)] },
    segments("segments in lumps") {
      [.file($0.count), .send(Array($0.prefix(9_000))), .wait(1.5), .send(Array($0.dropFirst(9_000)))]
    },
    segments("segments that trickle") { [.file($0.count), .pace($0, perSecond: 10_000, burst: 0)] },
    segments("segments whose first bytes are late") { [.wait(1.5), .file($0.count), .wait(1.2), .send($0)] },
    segments("segments behind a tag of 40,000 bytes full of false headers") {
      let tag = [UInt8]("ID3".utf8) + [3, 0, 0, 0, 2, 0x38, 0x40]
      let picture = [UInt8]("APIC".utf8) + (0..<9_999).flatMap { _ in [0xFF, 0xFB, 0x90, 0x64] as [UInt8] }
      return StationAction.file(tag + picture.prefix(40_000) + $0)
    },
    Quirk("segments behind five redirects") { visit, request, _ in
      guard case .segment(let number) = request else { return nil }
      let depth = visit.path.split(separator: "/").count - 1
      return depth < 5 ? StationAction.redirect("\(visit.path.dropLast("\(number).mp3".count))r/\(number).mp3") : nil
    },
    lists("lists of HTTP/1.0 without a length") { [.text("HTTP/1.0 200 OK\r\n\(hls)\r\n\r\n"), .text($0)] },
    lists("lists in chunks") {
      [.head("200 OK", [hls, "Transfer-Encoding: chunked"])] + chunks(Array($0.utf8), of: 7)
    },
    lists("lists with a byte order mark, and lines that end in CRLF") {
      StationAction.response("200 OK", "\u{FEFF}" + $0.replacing("\n", with: "\r\n"), type: "application/x-mpegURL")
    },
    lists("lists whose last line does not end") {
      StationAction.response("200 OK", String($0.dropLast()), type: "audio/mpegurl")
    },
    lists("lists said to be text") { StationAction.response("200 OK", $0, type: "text/plain") },
    lists("lists said to be a page") { StationAction.response("200 OK", $0, type: "text/html") },
    lists("lists said to be anything") { StationAction.response("200 OK", $0, type: "application/octet-stream") },
    lists("lists byte by byte") { [.head("200 OK", [hls])] + $0.utf8.map { .send([$0]) } },
    Quirk("an empty list in the place of every second one") { visit, request, _ in
      guard request == .list, visit.number > 0, visit.number % 2 == 0 else { return nil }
      return StationAction.response(
        "200 OK", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n", type: "application/vnd.apple.mpegurl")
    },
  ]

  @Test("A server's quirk loses nothing", arguments: quirks)
  func quirk(_ quirk: Quirk) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, quirk.answer)
      defer { station.close() }
      let (bench, punctuality) = (try NetBench(), Punctuality())
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 30)
      #expect(bench.faults.isEmpty)
      let costs = "\(bench.reasons) \(bench.stitches)"
      #expect(punctuality.holdsUnlessLate(bench.reasons.isEmpty && bench.stitches.isEmpty), "\(costs)")
    }
  }

  @Test("Lists nested three deep lead to the segments")
  func deep() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, _, _ in
        let lists = ["/0.m3u8": "a/1.m3u8", "/a/1.m3u8": "b/2.m3u8", "/a/b/2.m3u8": "../live.m3u8"]
        return lists[visit.path].map {
          StationAction.response(
            "200 OK", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n\($0)\n", type: "application/x-mpegurl")
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.server.url("/0.m3u8"))
      SegmentTests.expectWhole(bench, station, seconds: 30)
    }
  }

  @Test("A list without segments is awaited")
  func emptyFirst() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, aired: 0)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 20, from: 0)
      #expect(bench.faults.isEmpty)
    }
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// True if all of the segment plays.
    var isHeard: Bool
    var maxRequestCount: Int
    var acts: @Sendable ([UInt8]) -> [StationAction]

    init(_ name: String, isHeard: Bool = false, most: Int, _ acts: @escaping @Sendable ([UInt8]) -> [StationAction]) {
      (testDescription, self.isHeard, self.maxRequestCount, self.acts) = (name, isHeard, most, acts)
    }
  }

  private static let damages = [
    Damage("a page", most: 1) { _ in
      StationAction.response("200 OK", "<html><body>None</body></html>", type: "text/html")
    },
    Damage("nothing", most: 1) { _ in StationAction.response("200 OK") },
    // Ten redirects for each request.
    Damage("a redirect to itself", most: 140) { _ in StationAction.redirect("6.mp3") },
    Damage("a redirect to a port of another service", most: 13) { _ in
      StationAction.redirect("http://127.0.0.1:1/6.mp3")
    },
    Damage("a connection that breaks", most: 13) { _ in [.reset] },
    Damage("a length that is too large", isHeard: true, most: 13) { [.file($0.count + 1_000), .send($0)] },
  ]

  @Test("A segment that never arrives correctly is skipped in time, and all others play once", arguments: damages)
  func damage(_ damage: Damage) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip, window: 8) { _, request, _ in
        request == .segment(6) ? damage.acts(Self.file(6)) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(120) { bench.written >= 30 })
      bench.readAll()
      // The wrong bytes may count as the rest of the previous packet, which is then lost.
      let wanted = [0, 1].map { lost in
        Clip(station.bytes(3..<6)).packets.dropLast(lost).flatMap(\.bytes) + (damage.isHeard ? Self.file(6) : [])
          + station.bytes(7..<60)
      }
      #expect(wanted.contains { $0.starts(with: bench.readBytes) })
      let count = station.server.visits.count { $0.path.hasSuffix("/6.mp3") }
      #expect((1...damage.maxRequestCount).contains(count), "\(count)")
    }
  }

  @Test("Foreign content instead of every second list is skipped", arguments: ["<html><body>Busy</body>", ""])
  func otherList(_ text: String) async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { visit, request, _ in
        let isOther = request == .list && visit.number > 0 && visit.number % 2 == 0
        return isOther ? StationAction.response("200 OK", text, type: "text/html") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 30)
      #expect(bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero } && bench.faults.isEmpty)
    }
  }

  @Test("A length that is too small loses the rest")
  func shortLength() async throws {
    try await Stage.run(speed: 8) {
      let file = Self.file(6)
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        request == .segment(6) ? [.file(file.count - 1_000), .send(file)] : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.written >= 30 })
      bench.readAll()
      let before = Clip(Array(file.dropLast(1_000))).bytes
      let wanted = [station.bytes(3..<6) + before, station.bytes(7..<100)]
      let (start, rest) = (bench.readBytes.prefix(wanted[0].count), bench.readBytes.dropFirst(wanted[0].count))
      // The truncated packet is lost, and the next one if it depends on the truncated packet.
      #expect(start.elementsEqual(wanted[0]) && !rest.isEmpty)
      #expect((0..<2).contains { wanted[1].dropFirst($0 * 208).starts(with: rest) })
      #expect(bench.faults.isEmpty)
    }
  }

  @Test("A station of web pages is refused with a reason", arguments: ["segments", "list"])
  func pages(_ what: String) async throws {
    try await Stage.run(speed: 8) {
      let page = "<html><body>" + String(repeating: "<p>Nothing here.</p>", count: 400) + "</body></html>"
      let station = try SegmentedStation(Self.clip) { _, request, _ in
        let isPage = what == "list" || request != .list
        return isPage ? StationAction.response("200 OK", page, type: "text/html") : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(90) { !bench.faults.isEmpty })
      #expect(bench.faults.first?.category == .badContent, "\(bench.faults.map(\.sentence))")
    }
  }

  @Test("A title in ISO 8859-1 is decoded")
  func latin() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Self.clip) { _, request, air in
        guard request == .list else { return nil }
        let text = air.text().replacing(",\n", with: ",Mot\u{F6}rhead - \u{C9}t\u{E9}\n")
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        return [.head("200 OK", [Self.hls, "Content-Length: \(bytes.count)"]), .send(bytes)]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      SegmentTests.expectWhole(bench, station, seconds: 16)
      #expect(bench.titles == ["Mot\u{F6}rhead - \u{C9}t\u{E9}"])
    }
  }
}
