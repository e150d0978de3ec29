import Foundation
import Framing
import Glibc
import Listings
import SeededRandom
import TestSupport
import Testing

@Suite("Hostile lists")
struct HostileTests {
  @Test("Entity expansion is refused")
  func billionLaughs() {
    let entities = (1...9).map { level in
      "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
    }
    let list = """
      <?xml version="1.0"?><!DOCTYPE playlist [<!ENTITY l0 "http://a/">\(entities.joined())]>
      <playlist><trackList><track><location>&l9;</location></track></trackList></playlist>
      """
    #expect(throws: ListingError.malformed(line: 1)) { try entries(list, .xspf) }
  }

  @Test("An external entity is refused, and an external DTD not fetched")
  func externalEntities() throws {
    let body = "<playlist><trackList><track><location>a&e;b</location></track></trackList></playlist>"
    let declared = "<!DOCTYPE playlist [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
    #expect(throws: ListingError.malformed(line: 1)) { try entries(declared + body, .xspf) }
    let elsewhere = "<!DOCTYPE playlist SYSTEM \"file:///etc/hostname\">"
    #expect(try references(elsewhere + body, .xspf) == ["ab"])
  }

  @Test("Deep nesting is refused")
  func deepNesting() {
    let list = String(repeating: "<a>", count: 100_000)
    #expect(throws: ListingError.malformed(line: 1)) { try entries(list, .xspf) }
    #expect(throws: ListingError.empty) { try entries(list, .asx) }
  }

  @Test(
    "Many repetitions take linear time", .timeLimit(.minutes(1)), arguments: PlaylistKind.allCases,
    [
      "<", "<!--", "<a b='", "<ref href=\"x", "&", "&amp;", "<title>", "x\n", "\"", "=", "File1=", "#", ",", "/",
      "\\", ":",
    ])
  func repetition(_ kind: PlaylistKind, _ piece: String) {
    let list = String(repeating: piece, count: (256 << 10) / piece.utf8.count)
    _ = try? entries(list, kind)
    if kind == .opml { _ = try? entries("<opml><body><outline url='" + list, kind) }
    if kind == .xspf { _ = try? entries("<playlist><trackList><track><location>" + list, kind) }
  }

  @Test("Every prefix of a list is readable", arguments: PlaylistKind.allCases)
  func truncation(_ kind: PlaylistKind) {
    let list = Array(Self.seeds.joined(separator: "\n").utf8)
    for encoded in [list, [0xFF, 0xFE] + utf16(String(decoding: list, as: UTF8.self))] {
      for count in 0...encoded.count { _ = try? entries(Array(encoded[..<count]), kind) }
    }
    for seed in Self.seeds {
      for count in 0...seed.utf8.count { _ = try? entries(Array(seed.utf8.prefix(count)), kind) }
    }
  }

  @Test("Random bytes and broken lists are readable", arguments: 0..<10 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    for turn in 0..<10_000 {
      var bytes: [UInt8]
      if turn.isMultiple(of: 2) {
        bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      } else {
        bytes = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let kind = PlaylistKind.allCases[turn / 2 % PlaylistKind.allCases.count]
      guard let list = try? entries(bytes, kind) else { continue }
      let isClean = list.allSatisfy { entry in
        !entry.reference.isEmpty && entry.reference.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
          && entry.title?.isEmpty != true && entry.seconds.map { $0 > 0 } != false
      }
      if !isClean { Issue.record("seed \(seed), turn \(turn): \(bytes)") }
    }
  }

  private static let seeds = [
    "[playlist]\r\nFile1=http://a/é\nTitle1=x\nLength1=-1\nNumberOfEntries=1",
    "#EXTM3U\n#EXTINF:-1 tvg-id=\"a,b\",Title\n\"http://a/b c\"\n//host/x\nC:\\x",
    """
    <?xml version="1.0"?><!DOCTYPE playlist><playlist xml:base="http://a/b"><trackList><track><title>é&amp;</title>
    <location>x</location><location>//y</location><duration>9000</duration></track></trackList></playlist>
    """,
    "<asx><!-- x --><entry><title>é &amp;</title><ref href = 'http://a/?&lt;'/><entryref href=x></entry></asx>",
    "[Reference]\nRef1=http://a/1\n",
    "<rss><channel><item><title>é & <b></title><enclosure url='a?b&c'/><pubDate>1 May 2011</pubDate></item></channel>",
    "<opml><body><outline text='é&amp;' URL='x'><outline xmlUrl='//y' type='rss'/></outline></body></opml>",
  ]
}

/// The cost of a megabyte of each hostile kind of input; `make hostile` reads ten megabytes and prints a table.
@Suite("Costs of hostile lists", .serialized)
struct HostileCostTests {
  /// Bytes that repeat one piece.
  struct Shape: Sendable, CustomStringConvertible {
    var description: String
    /// Nil for titles outside the stream.
    var kind: PlaylistKind?
    var head = ""
    var piece: @Sendable (Int) -> String

    init(
      _ description: String, _ kind: PlaylistKind?, _ head: String = "", _ piece: @escaping @Sendable (Int) -> String
    ) {
      (self.description, self.kind, self.head, self.piece) = (description, kind, head, piece)
    }

    func bytes(_ count: Int) -> [UInt8] {
      var bytes = Array(head.utf8)
      bytes.reserveCapacity(count + 4_096)
      var number = 0
      while bytes.count < count {
        bytes += piece(number).utf8
        number += 1
      }
      bytes.removeLast(max(0, bytes.count - count))
      return bytes
    }
  }

  private static let base = "xml:base='http://a/" + String(repeating: "b", count: 4_000) + "/'"
  private static let feed = "<rss><channel \(base)>"
  private static let xspf = "<playlist \(base)><trackList>"

  static let shapes = [
    Shape("usual feed", .feed, "<rss><channel>") {
      "<item><title>Part \($0)</title><guid>\($0)</guid><description>\(String(repeating: "word ", count: 400))"
        + "</description><enclosure url='http://a/\($0).mp3' type='audio/mpeg'/></item>\n"
    },
    Shape("bases in a feed", .feed, feed) { _ in "<a xml:base='b'/>" },
    Shape("bases of enclosures", .feed, feed) { _ in
      "<item xml:base='b'><enclosure url='\(String(repeating: "c", count: 100))' type='audio/mpeg'/></item>"
    },
    Shape("elements in a feed", .feed, feed) { _ in "<a/>" },
    Shape("names of elements", .feed, feed) { "<a\($0)/>" },
    Shape("names of attributes", .feed, feed) { "<a b\($0)=''/>" },
    Shape("many attributes", .feed, feed) { _ in "<a \((0..<60).map { "b\($0)='' " }.joined())/>" },
    Shape("lines of a title", .feed, "<rss><channel><title>") { _ in "x\n" },
    Shape("characters of titles", .feed, "<rss><channel>") { _ in
      "<item><title>\(String(repeating: "&#38;", count: 800))</title></item>"
    },
    Shape("tags without end", .feed, "<rss><channel>") { _ in
      "<item><title>\(String(repeating: "<a", count: 2_000))</title></item>"
    },
    Shape("films", .feed, feed) { _ in "<item><enclosure url='a' type='video/mp4'/></item>" },
    Shape("films of one item", .feed, feed + "<item>") { _ in "<enclosure url='a' type='video/mp4'/>" },
    Shape("dates", .feed, feed + "<item>") { _ in "<pubDate>x</pubDate>" },
    Shape("ends", .feed, (0..<60).map { "<\(String(repeating: "a", count: 100))\($0)>" }.joined()) { _ in "</b>" },
    Shape("sections", .feed, feed + "<title>") { _ in "<![CDATA[x]]>" },
    Shape("declarations", .feed, feed) { _ in "<![CDATX>" },
    Shape("bases in a list", .xspf, xspf) { _ in "<a xml:base='b'/>" },
    Shape("bases of tracks", .xspf, xspf) { _ in "<track xml:base='b'><location>c</location></track>" },
    Shape("references too long", .xspf, xspf) { _ in
      "<track><location>\(String(repeating: "c", count: 100))</location></track>"
    },
    Shape("elements in a list", .xspf, xspf) { _ in "<a/>" },
    Shape("attributes in a list", .xspf, xspf + "<a ") { "b\($0)='' " },
    Shape("outlines", .opml, "<opml><body>") { _ in "<outline a='b'/>" },
    Shape("tags", .asx) { _ in "<a>" },
    Shape("comments", .asx) { _ in "<!-- -->" },
    Shape("comment lines", .m3u) { _ in "#\n" },
    Shape("lines that are none", .m3u) { _ in "C:\\x\n" },
    Shape("long lines", .m3u) { _ in String(repeating: "x", count: 4_000) + "\n" },
    Shape("elements of titles", nil, "<a>") { _ in "<b/>" },
    Shape("names of titles", nil, "<a>") { "<b\($0)>x</b\($0)>" },
    Shape("times", nil, "<a>") { _ in "<b start='x' end='y' length='z'/>" },
    Shape("numbers", .pls) { "File\($0)=x\n" },
    Shape("one number", .pls) { _ in "File1=\n" },
  ]

  /// CPU time of this thread in seconds.
  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Anonymous memory of the process in bytes.
  private static func anonymousMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  private static let isFigures = ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil
  /// Set by `make hostile`.
  private static let isOptimized = ProcessInfo.processInfo.environment["BAKELITE_OPTIMIZED"] != nil

  private struct Cost {
    private(set) var total = 0.0
    private(set) var longest = 0.0
    private(set) var memory = 0
    private let before = HostileCostTests.anonymousMemory()

    /// Records a call that started at this time of the thread's clock.
    mutating func note(since start: Double) {
      let time = HostileCostTests.threadTime() - start
      (total, longest) = (total + time, max(longest, time))
      if HostileCostTests.isFigures { memory = max(memory, HostileCostTests.anonymousMemory() - before) }
    }
  }

  /// Reads bytes like a station's data: feeds and titles in pieces of 16 KiB, lists as a whole.
  private func read(_ bytes: [UInt8], _ kind: PlaylistKind?, _ cost: inout Cost) {
    switch kind {
    case .feed:
      var reader = FeedReader()
      inPieces(bytes, &cost) { reader.append($0.span) }
      _ = try? reader.finish()
    case nil:
      var reader = NowPlayingFeedReader()
      inPieces(bytes, &cost) { reader.append($0.span) }
      _ = try? reader.finish()
    case .some(let kind):
      let begin = Self.threadTime()
      _ = try? entries(bytes, kind)
      cost.note(since: begin)
    }
  }

  /// Passes the bytes in pieces of the network's size.
  private func inPieces(_ bytes: [UInt8], _ cost: inout Cost, _ append: (ArraySlice<UInt8>) -> Void) {
    for start in stride(from: 0, to: bytes.count, by: 16_384) {
      let begin = Self.threadTime()
      append(bytes[start..<min(bytes.count, start + 16_384)])
      cost.note(since: begin)
    }
  }

  @Test("A megabyte of any shape costs little time and memory, also in one call", arguments: shapes)
  func cost(_ shape: Shape) {
    // An eighth shows the same effect and is fast.
    let parts = Self.isFigures ? 1 : 8
    let megabyte = shape.bytes((1 << 20) / parts)
    // The minimum of three runs, because a shared processor has slow moments.
    var cost = Cost()
    for turn in 0..<3 where turn == 0 || cost.total * Double(parts) > 3 * Processor.slowness {
      var again = Cost()
      read(megabyte, shape.kind, &again)
      if turn == 0 || again.total < cost.total { cost = again }
    }
    let first = cost.total * Double(parts)
    if Self.isFigures {
      // A feed is read to its end; lists and titles are read up to the first megabyte.
      let ten = shape.bytes(shape.kind == .feed ? 10 << 20 : 0)
      var more = Cost()
      if shape.kind == .feed { read(ten, .feed, &more) }
      for _ in 0..<10 where shape.kind != .feed { read(megabyte, shape.kind, &more) }
      let name = shape.description.padding(toLength: 24, withPad: " ", startingAt: 0)
      let figures = [first, more.total, more.longest * 1e3, Double(max(cost.memory, more.memory)) / 1e6]
      print(name, String(format: "%6.3f s/MB %7.3f s for 10 MB, longest call %6.2f ms, + %5.2f MB", arguments: figures))
      #expect(max(cost.memory, more.memory) <= 8_000_000)
    }
    // Debug builds need about ten times as long.
    #expect(first < (Self.isOptimized ? 0.3 : 4) * Processor.slowness, "\(first) s a megabyte")
    #expect(cost.longest < (Self.isOptimized ? 0.05 : 4) * Processor.slowness, "\(cost.longest) s in one call")
  }
}
