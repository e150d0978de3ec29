import Foundation
import Listings
import SeededRandom
import Testing

/// Current titles from all kinds of XML feeds (R6.3, R6.4).
@Suite struct NowPlayingFeedTests {
  static func event(
    _ title: String?, _ artist: String? = nil, _ start: String? = nil, _ length: Double? = nil,
    _ adapt: (inout NowPlayingEvent) -> Void = { _ in }
  ) -> NowPlayingEvent {
    var event = NowPlayingEvent()
    (event.title, event.artist, event.length) = (title, artist, length)
    event.start = start.flatMap { NowPlayingTime($0) }
    adapt(&event)
    return event
  }

  @Test(
    "Events are found under any element names",
    arguments: [
      Case(
        """
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <nexgen_audio_export>
         <audio ID="id_1667331726_30393658"><type>Song</type><status>Playing</status><played_time>09:41:18</played_time>
          <composer/><title>Blue in Green</title><artist>Miles Davis</artist></audio>
         <audio ID="id_2"><type>Spot</type><status>Next</status><played_time>09:46:55</played_time>
          <title>Buy</title></audio>
        </nexgen_audio_export>
        """,
        [
          event("Blue in Green", "Miles Davis", "09:41:18") { $0.phase = .now },
          event("Buy", nil, "09:46:55") { ($0.phase, $0.isSong) = (.next, false) },
        ]),
      Case(
        """
        <event><event_version>1.0</event_version><artist>David Behrman</artist><title>A Traveller's Dream</title>
        <duration>180000</duration><eventcategory>MUS</eventcategory><eventid>0000</eventid></event>
        """, [event("A Traveller's Dream", "David Behrman", nil, 180)]),
      Case(
        """
        <AudioVault><Events><Event StartTime='10:00:00' Length='3:03' Type='SONG'>
        <SongTitle>One &amp; Two</SongTitle><ARTIST_NAME>Three</ARTIST_NAME></Event></Events></AudioVault>
        """, [event("One & Two", "Three", "10:00:00", 183)]),
      Case(
        "<r><nowplaying><song title='A' artist='B'/></nowplaying><next><song title='C' artist='D'/></next></r>",
        [event("A", "B") { $0.phase = .now }, event("C", "D") { $0.phase = .next }]),
      Case(
        """
        <RMPADEXPORT><ITEM TYPE="music" ALBUM="x" TITLE="Lied" DURATION="918240" STARTING_TIME="2017-06-20 19:42:20">
        <ROLES><ROLE><ROLE_NAME>COMPOSER</ROLE_NAME><PERSON_NAME>Beethoven</PERSON_NAME></ROLE></ROLES>
        <PUBLISH-DATA TITLE="Lied" RECORD="7"/></ITEM></RMPADEXPORT>
        """, [event("Lied", nil, "2017-06-20 19:42:20", 918.24)]),
      Case(
        """
        <feed><title>Radio X</title><now><start>1:02:03</start><cut><title>A</title><performer>B</performer></cut></now>
        </feed>
        """,
        [event("A", "B", "1:02:03") { $0.phase = .now }]),
      Case(
        "<l><track><name>Song</name><composer>C</composer><performer>P</performer><link>http://a/</link></track></l>",
        [event("Song", "P") { $0.url = "http://a/" }]),
      Case(
        "<l><e><title>\u{202E}A\u{1B}[31m\u{0}  &lt;b&gt;B&lt;/b&gt;&#10;C</title><artist> \u{200B} </artist></e></l>",
        [event("A[31m B C")]),
      Case("<l><e><artist>Only</artist><start>noon</start><length>-3</length></e></l>", [event(nil, "Only")]),
    ])
  func forms(_ example: Case<[NowPlayingEvent]>) throws { #expect(try read(example.text).events == example.outcome) }

  @Test("Published examples of projects are read", .enabled(if: !published.isEmpty, "no corpora here"))
  func corpora() throws {
    for path in Self.published {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let feed = try read(bytes)
      #expect(feed.events.count == 1 && feed.events.allSatisfy { $0.title != nil && $0.isSong }, "\(path)")
    }
  }

  private static var published: [String] {
    let root = ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared"
    let folder = root + "/corpora/nowplaying-xml"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".xml") }.sorted().map { folder + "/" + $0 }
  }

  @Test("Live365's first entry counts, even if empty, and Refresh is read")
  func live365() throws {
    let text = """
      <?xml version="1.0"?><Playlist><Refresh>42</Refresh><Broadcaster>x</Broadcaster>\(Self.entry("One", "Two"))
      \(Self.entry("Three", "Four"))</Playlist>
      """
    let feed = try read(text)
    #expect(feed.refresh == 42)
    #expect(
      feed.events == [
        Self.event("One", "Two", nil, 211) { $0.url = "http://shop.example/1" },
        Self.event("Three", "Four", nil, 211) { $0.url = "http://shop.example/1" },
      ])
    let empty = try read("<Playlist>\(Self.entry("", ""))\(Self.entry("Three", "Four"))</Playlist>")
    #expect(empty.refresh == nil && empty.events.first?.isNamed == false && empty.events.count == 2)
  }

  static func entry(_ title: String, _ artist: String) -> String {
    """
    <PlaylistEntry><Title>\(title)</Title><Artist>\(artist)</Artist><Album/><ECommerceURL>http://shop.example/1\
    </ECommerceURL><FileName></FileName><trackType>1</trackType><desc></desc><clickThruURL/>\
    <visualURL>img=a</visualURL><Seconds>211</Seconds></PlaylistEntry>
    """
  }

  // MARK: Damage

  @Test(
    "Broken XML is read up to its fault",
    arguments: [
      Case("<l><e><title>Simon & Garfunkel</title><artist>A < B</artist></e></l>", ["Simon & Garfunkel"]),
      Case("<l><e><title>A</title></e><e><title>B</e><e><title>C</title></e></l>", ["A", "B", "C"]),
      Case("<l><e><title>A</title></e><e><title>B</title>", ["A"]),
      Case("<l><e><title>Caf&eacute; &nbsp;&unknown;</title></e></l>", ["Café &unknown;"]),
      Case("<l><e><title><![CDATA[A & <B>]]></title></e></l>", ["A &"]),
      Case("\u{FEFF}  \n<l><e><title>A</title></e></l>trailing <<<", ["A"]),
      Case("<?php error ?><l><e><title>A</title></e></l>", ["A"]),
    ])
  func broken(_ example: Case<[String]>) throws {
    #expect(try read(example.text).events.compactMap(\.title) == example.outcome)
  }

  @Test(
    "Content that is not a feed gives nothing",
    arguments: [
      "", "   ", "Not found", "<l/>", "<l>", "{\"title\": \"A\"}",
      "<!DOCTYPE html><html><head><title>Please log in</title></head></html>", "<HTML><title>404</title>",
    ])
  func nothing(_ text: String) {
    #expect(throws: ListingError.self) { try read(text) }
  }

  @Test(
    "Titles use the declared, marked or detected encoding",
    arguments: [
      Case("utf8", Array("<l><e><title>Café “x” Ж</title></e></l>".utf8)),
      Case("latin1 told", latin1("<?xml version='1.0' encoding='ISO-8859-1'?><l><e><title>Caf")),
      Case("latin1 told wrongly as UTF-8", latin1("<?xml version='1.0' encoding='UTF-8'?><l><e><title>Caf")),
      Case("latin1 untold", latin1("<l><e><title>Caf")),
      Case("utf16", marked(utf16("<l><e><title>Café</title></e></l>"))),
      Case("utf16 without a mark", utf16("<l><e><title>Café</title></e></l>", bigEndian: true)),
    ])
  func encodings(_ example: Case<[UInt8]>) throws {
    let title = try #require(read(example.outcome).events.first?.title)
    #expect(title == (example.text == "utf8" ? "Café “x” Ж" : "Café"))
  }

  private static func latin1(_ head: String) -> [UInt8] {
    let tail: [UInt8] = Array("</title></e></l>".utf8)
    return Array(head.utf8) + [0xE9] + tail
  }

  private static func marked(_ text: [UInt8]) -> [UInt8] { [0xFF, 0xFE] + text }

  @Test("An address of more than 512 bytes is dropped, and a shorter one remains whole")
  func addresses() throws {
    for (count, isWhole) in [(480, true), (520, false)] {
      let url = "http://a/" + String(repeating: "x", count: count)
      let event = try #require(try read("<l><e><title>A</title><url>\(url)</url></e></l>").events.first)
      #expect(event.url == (isWhole ? url : nil))
    }
  }

  @Test("The station's encoding applies to a feed without a declaration")
  func stationEncoding() throws {
    func title(_ head: String) throws -> String? {
      var reader = NowPlayingFeedReader(encoding: "windows-1251")
      reader.append((Array((head + "<l><e><title>").utf8) + [0xCA, 0xE8] + Array("</title></e></l>".utf8)).span)
      return try reader.finish().events.first?.title
    }
    #expect(try title("") == "Ки")
    #expect(try title("<?xml version='1.0' encoding='windows-1252'?>") == "Êè")
  }

  // MARK: Hostile input

  @Test("Entities are neither expanded nor fetched")
  func entities() throws {
    let laughs = (1...9).map { level in
      "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
    }
    let bomb = "<!DOCTYPE l [<!ENTITY l0 \"ha\">\(laughs.joined())]><l><e><title>A&l9;</title></e></l>"
    #expect(try read(bomb).events == [Self.event("A&l9;")])
    let thief = "<!DOCTYPE l [<!ENTITY e SYSTEM \"file:///etc/hostname\">]><l><e><title>A&e;</title></e></l>"
    #expect(try read(thief).events == [Self.event("A&e;")])
  }

  @Test("A feed has at most 1 MiB, and the stored text is limited", .timeLimit(.minutes(1)))
  func bounds() throws {
    let long = "<l><e><title>A</title></e>" + String(repeating: " ", count: NowPlayingFeedReader.byteLimit)
    #expect(throws: ListingError.tooLarge) { try read(long) }
    let many = "<l>" + String(repeating: "<e><title>A</title></e>", count: 10_000)
    #expect(try read(many).events.count == 64)
    let wide = "<l><e><title>" + String(repeating: "A", count: 500_000) + "</title><artist>B</artist></e></l>"
    #expect(try read(wide).events.first?.title?.utf8.count ?? 0 <= 512)
    for piece in ["<a>", "<e title='A'>", "<", "&", "<!--", "<a b='", "<e><title>", "<![CDATA["] {
      _ = try? read(String(repeating: piece, count: NowPlayingFeedReader.byteLimit / piece.utf8.count))
    }
  }

  @Test("Every prefix and random damage of a feed is readable", arguments: 0..<8 as Range<UInt64>)
  func damage(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    let text = Array("<l a='1:02'><now><e start='1:02:03' length=\"3:03\"><title>A &amp; é</title></e></now></l>".utf8)
    for count in 0...text.count { _ = try? read(Array(text[..<count])) }
    for _ in 0..<500 {
      var broken = text
      for _ in 0..<3 { broken[Int.random(in: 0..<broken.count, using: &random)] = .random(in: 0...255, using: &random) }
      _ = try? read(broken)
    }
  }

  @Test("The pieces of a feed do not matter")
  func pieces() throws {
    let bytes = Array("<?xml encoding='UTF-8'?><l><e start='1:02:03'><title>Café Ж &amp; B</title></e></l>".utf8)
    let whole = try read(bytes)
    for size in 1...20 {
      var reader = NowPlayingFeedReader()
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.append(bytes.span.extracting(start..<min(bytes.count, start + size)))
      }
      #expect(try reader.finish() == whole)
    }
  }

  private func read(_ text: String) throws(ListingError) -> NowPlayingFeed { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws(ListingError) -> NowPlayingFeed {
    var reader = NowPlayingFeedReader()
    reader.append(bytes.span)
    return try reader.finish()
  }
}
