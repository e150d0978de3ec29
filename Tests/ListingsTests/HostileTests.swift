import Framing
import Listings
import Testing
import SeededRandom

@Suite("Hostile lists")
struct HostileTests {
  @Test("billion laughs are refused")
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

  @Test("an external entity is refused, a DTD elsewhere is not fetched")
  func externalEntities() throws {
    let body = "<playlist><trackList><track><location>a&e;b</location></track></trackList></playlist>"
    let declared = "<!DOCTYPE playlist [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
    #expect(throws: ListingError.malformed(line: 1)) { try entries(declared + body, .xspf) }
    let elsewhere = "<!DOCTYPE playlist SYSTEM \"file:///etc/hostname\">"
    #expect(try references(elsewhere + body, .xspf) == ["ab"])
  }

  @Test("deep nesting is refused")
  func deepNesting() {
    let list = String(repeating: "<a>", count: 100_000)
    #expect(throws: ListingError.malformed(line: 1)) { try entries(list, .xspf) }
    #expect(throws: ListingError.empty) { try entries(list, .asx) }
  }

  @Test(
    "much of one thing takes linear time", .timeLimit(.minutes(1)), arguments: PlaylistKind.allCases,
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

  @Test("every beginning of a list can be read", arguments: PlaylistKind.allCases)
  func truncation(_ kind: PlaylistKind) {
    let list = Array(Self.seeds.joined(separator: "\n").utf8)
    for encoded in [list, [0xFF, 0xFE] + utf16(String(decoding: list, as: UTF8.self))] {
      for count in 0...encoded.count { _ = try? entries(Array(encoded[..<count]), kind) }
    }
    for seed in Self.seeds {
      for count in 0...seed.utf8.count { _ = try? entries(Array(seed.utf8.prefix(count)), kind) }
    }
  }

  @Test("random bytes and broken lists can be read", arguments: 0..<10 as Range<UInt64>)
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
