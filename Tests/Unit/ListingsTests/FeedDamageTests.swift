import Listings
import ListingsSupport
import SeededRandom
import Testing

@Suite("Damaged and hostile feeds")
struct FeedDamageTests {
  @Test(
    "Nearly valid XML is repaired",
    arguments: [
      Case("<title>A & B</title>", "A & B"), Case("<title>A&B;C</title>", "A&B;C"),
      Case("<title>1 < 2 <3 <- a</title>", "1 < 2 <3 <- a"), Case("<title>Joe <joe@a.example></title>", "Joe"),
      Case("<title>a\u{0}b\u{8}c\u{1F}</title>", "abc"), Case("<title>a&#8;b&#x1F;</title>", "ab"),
      Case("<title>a\u{FFFF}b\u{FFFE}</title>", "ab"), Case("<title>a</TITLE>", "a"),
      Case("<x><y></x><title>a</title></z>", "a"), Case("<title><b>a</title>", "a"),
      Case("<description>a<br>b<p></description><title>a</title>", "a"), Case("<!-- -- --><title>a</title>", "a"),
      Case("<!ELEMENT x><![x]><title>a</title>", "a"), Case("<?php a ?><title>a</title>", "a"),
      Case("<link href='a?b=c&d=e&lt;<f>'/><title>a</title>", "a"),
    ])
  func mended(_ one: Case<String?>) throws {
    #expect(try feed(rss(item(one.text) + item())).episodes.map(\.title) == [one.outcome, nil])
  }

  @Test("A reference may contain characters that XML forbids")
  func references() throws {
    let text = rss("<item><enclosure url='http://a/?b=1&c=2&copy=3&amp;d=4&#x35;'/></item>")
    #expect(try feed(text).episodes.map(\.reference) == ["http://a/?b=1&c=2&copy=3&d=45"])
  }

  @Test(
    "Text around the feed is ignored",
    arguments: [
      "\n\n  ", "\u{FEFF}", "\u{FEFF} \n", "Warning: a & b > c\n", "<!-- a --><?b?>",
      "<!DOCTYPE rss PUBLIC \"-//a\" \"http://a/b.dtd\">",
      "<!DOCTYPE rss [\n<!ENTITY % a PUBLIC \"b\" \"c\">\n%a;\n]>",
      "<!DOCTYPE rss [<!-- don't --><!ENTITY a \"b>\">] >",
    ])
  func around(_ before: String) throws {
    let text = before + "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='no'?>\n" + rss(item("<title>é</title>"))
    #expect(try feed(text + "\n</rss><script>a && b</script>").episodes.map(\.title) == ["é"])
  }

  @Test(
    "Episodes before damage count",
    arguments: [
      "<item><title>cut", "<item><enclosure url='b.mp3'/>", "<a b>", "<a b=c>", "<a b='1' b='2'/>", "<a b='",
      "<![CDATA[", "<!--", "<!DOCTYPE [", "</", "<", "&", "\u{0}",
    ])
  func damage(_ end: String) throws {
    #expect(try feed("<rss><channel>" + item("<title>a</title>") + end).episodes.map(\.title) == ["a"])
    #expect(throws: ListingError.self) { try feed("<rss>\n<channel>" + end) }
  }

  @Test("Damage is reported by line")
  func lines() {
    let text = "\n<?xml version='1.0'?>\n<!-- a\nb -->\n<rss>\n<a b='1' b='2'/></rss>"
    #expect(throws: ListingError.malformed(line: 6)) { try feed(text) }
  }

  @Test("An unclosed item ends with the next")
  func openItems() throws {
    let open = "<item><title>a</title><enclosure url='1.mp3'/><item><title>b</title><enclosure url='2.mp3'/></item>"
    #expect(try feed(rss(open)).episodes.map(\.title) == ["a", "b"])
  }

  @Test("No entity expands, and nothing external is fetched")
  func entities() throws {
    let entities = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }
    let bomb = "<!DOCTYPE rss [<!ENTITY l0 \"lol\">\(entities.joined())<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
    #expect(try feed(bomb + rss(item("<title>&l9;&e;</title>"))).episodes.map(\.title) == ["&l9;&e;"])
  }

  @Test("Elements may nest 64 deep")
  func depth() throws {
    func nested(_ count: Int) -> String {
      item() + String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count) + item()
    }
    #expect(try feed(rss(nested(62))).episodes.count == 2)
    #expect(try feed(rss(nested(63))).episodes.count == 1)
    #expect(throws: ListingError.malformed(line: 1)) { try feed(String(repeating: "<a>", count: 1 << 20)) }
  }

  @Test(
    "Many repetitions take linear time", .timeLimit(.minutes(1)),
    arguments: [
      "<", "<a ", "<a b='", "</", "</a", "<!--", "<![CDATA[", "<!DOCTYPE [", "<?", "&", "&#", "&amp;", "]]>", "<a>",
      "<a/>",
      "<item>", "<item><title>&lt;", "<title>", ">", "\n", "é", "\u{0}", "a",
    ])
  func repetition(_ piece: String) {
    let much = String(repeating: piece, count: (64 << 10) / piece.utf8.count)
    _ = try? feed(much)
    _ = try? feed(rss(item(much)))
    _ = try? feed(rss("<item><title>" + much))
    _ = try? feed(rss("<item a='" + much))
  }
}

@Suite("Feeds in pieces")
struct FeedStreamTests {
  private static let text = """
    \u{FEFF}<?xml version="1.0" encoding="utf-8"?><!-- a --><!DOCTYPE rss [<!ENTITY a "b">]>
    <rss version="2.0" xmlns:it="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel xml:base="http://a/b/">
    <title>Käthe & 😀 &eacute;</title><it:type>serial</it:type>
    <item><title><![CDATA[A <b>b</b> ]]]]><![CDATA[>]]></title><guid>g&amp;1</guid>
    <enclosure url="c.mp3?d&e=&quot;" length="12" type="audio/mpeg"/><it:duration>1:00</it:duration>
    <pubDate>Wed, 27 Apr 2011 07:00:00 GMT</pubDate><description>a<br>b</description></item>
    <item><media:content url="2.mp3"/></item></channel></rss> <x>
    """

  private static let episodes = [
    Episode(
      reference: "http://a/b/c.mp3?d&e=\"", title: "A b ]]>", date: 1_303_887_600, seconds: 60, identifier: "g&1"),
    Episode(reference: "http://a/b/2.mp3"),
  ]

  @Test("Pieces may be cut at every byte", arguments: ["UTF-8", "UTF-16LE", "UTF-16BE"])
  func cuts(_ encoding: String) throws {
    let bytes =
      switch encoding {
      case "UTF-8": Array(Self.text.utf8)
      default: utf16(Self.text, bigEndian: encoding == "UTF-16BE")
      }
    let whole = Feed(title: "Käthe & 😀 é", isSerial: true, episodes: Self.episodes)
    #expect(try feed(bytes) == whole)
    for length in [1, 2, 3, 7, 64] { #expect(try feed(bytes, pieces: length) == whole) }
    for place in bytes.indices {
      var reader = FeedReader()
      let (head, tail) = (Array(bytes[..<place]), Array(bytes[place...]))
      reader.append(head.span)
      reader.append(tail.span)
      #expect(try reader.finish() == whole, "cut at \(place)")
    }
  }

  @Test("Every prefix is readable, and loses only episodes")
  func truncation() {
    let bytes = Array(Self.text.utf8)
    for place in bytes.indices {
      guard let part = try? feed(Array(bytes[..<place])) else { continue }
      #expect(Self.episodes.starts(with: part.episodes))
    }
  }

  @Test("A broken byte affects only its place, in any pieces", arguments: 0..<4 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    for _ in 0..<500 {
      var bytes = Array(Self.text.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let length = Int.random(in: 1...200, using: &random)
      #expect(Result { try feed(bytes) } == Result { try feed(bytes, pieces: length) })
    }
  }

  @Test(
    "The mark, the zeros or the declaration decide the encoding",
    arguments: [
      ("ISO-8859-1", [0x80, 0xE9], "€é"), ("windows-1252", [0x93, 0xC9, 0x94], "“É”"), ("utf-8", [0xC3, 0xA9], "é"),
      ("utf-8", [0xE9, 0x93, 0x20, 0xC3, 0xA9], "é“ é"), ("latin1", [0xC3, 0xA9], "é"), ("latin1", [0xC3, 0x28], "Ã("),
      ("klingon", [0xC3, 0xA9], "é"), ("utf-8", [0xED, 0xA0, 0x80], "í €"), ("utf-8", [0xF0, 0x9F, 0x98, 0x80], "😀"),
      ("utf-16", [0xC3, 0xA9], "é"), ("utf-8", [0xF0, 0x9F, 0x98], "ðŸ˜"),
    ] as [(String, [UInt8], String)])
  func encodings(_ name: String, _ title: [UInt8], _ words: String) throws {
    let head = "\n<?xml version='1.0' encoding='\(name)'?><rss><channel><title>"
    let bytes = Array(head.utf8) + title + Array("</title>\(item())</channel></rss>".utf8)
    #expect(try feed(bytes).title == words)
    #expect(try feed(bytes, pieces: 1).title == words)
  }

  @Test("UTF-16 needs no mark, and half a pair is dropped")
  func utf16Halves() throws {
    let bytes = utf16(rss(item()))
    #expect(try feed(bytes).episodes.count == 1)
    let parts: [[UInt8]] = [
      utf16("<rss><title>"), [0x3D, 0xD8], utf16("a"), [0x00, 0xDC], utf16("</title><channel><title>b"),
      [0x3D, 0xD8, 0x00, 0xDE], utf16("</title>\(item())</channel></rss>"), [0],
    ]
    #expect(try feed(Array(parts.joined())).title == "b😀")
  }

  @Test("A feed of 5 MB gives the first 500 episodes, and is read no further")
  func long() throws {
    let filler = String(repeating: "<p>About this episode &amp; others.</p> ", count: 250)
    var reader = FeedReader()
    var (given, read) = (0, 0)
    func give(_ text: String, _ reader: inout FeedReader) {
      for start in stride(from: 0, to: text.utf8.count, by: 1_000) {
        let piece = Array(text.utf8.dropFirst(start).prefix(1_000))
        given += piece.count
        if !reader.isComplete { read += piece.count }
        reader.append(piece.span)
      }
    }
    give("<rss><channel><title>Long</title>", &reader)
    for number in 1...520 {
      give(
        item("<title>\(number)</title><description><![CDATA[\(filler)]]></description>", url: "\(number).mp3"), &reader)
    }
    #expect(given > 5 << 20 && read < given - 150_000)
    let feed = try reader.finish()
    #expect(feed.title == "Long" && feed.episodes.map(\.title) == (1...500).map(String.init))
  }

  @Test("The stored text is limited")
  func bounds() throws {
    let long = String(repeating: "x", count: 4_000)
    let items = (1...500).map { number in
      item("<title>\(long)</title><guid>\(number)\(long)</guid>", url: "\(number)" + long)
    }
    let list = try feed(rss(items.joined())).episodes
    #expect(list.allSatisfy { $0.title?.utf8.count == FeedLimits.maxTitleLength })
    let length = list.reduce(0) { $0 + ($1.reference + $1.identifier + ($1.title ?? "")).utf8.count }
    #expect((FeedLimits.maxTextLength - 9_000...FeedLimits.maxTextLength).contains(length))
  }

  @Test("An overlong title is cut, an overlong identifier or address dropped")
  func longTexts() throws {
    let long = String(repeating: "é", count: 1 << 20)
    let list = try feed(rss(item("<title>\(long)</title><guid>\(long)</guid>"))).episodes
    #expect(list.map(\.reference) == ["http://a/1.mp3"])
    #expect(list.first?.title == String(repeating: "é", count: 256) && list.first?.identifier == "http://a/1.mp3")
    let longish = String(repeating: "x", count: 4_096)
    let addresses = item("<guid>\(longish)</guid>", url: longish) + item("<guid>\(longish)x</guid>", url: longish + "x")
    let rest = try feed(rss(addresses + item(url: "2"))).episodes
    #expect(rest.map(\.reference) == [longish, "2"] && rest.map(\.identifier) == [longish, "2"])
  }

  @Test("After 16 MiB reading ends")
  func tooLarge() throws {
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    func read(_ start: String) throws(ListingError) -> Feed {
      var reader = FeedReader()
      let (head, tail) = (Array(start.utf8), Array(item(url: "2").utf8))
      reader.append(head.span)
      for _ in 0..<16 { reader.append(blanks.span) }
      let isComplete = reader.isComplete
      #expect(isComplete)
      reader.append(tail.span)
      return try reader.finish()
    }
    #expect(try read("<rss><channel>" + item()).episodes.count == 1)
    #expect(throws: ListingError.tooLarge) { try read("<rss><channel>") }
  }
}

/// True if two results are equal.
private func == (left: Result<Feed, any Error>, right: Result<Feed, any Error>) -> Bool {
  switch (left, right) {
  case (.success(let left), .success(let right)): left == right
  case (.failure(let left), .failure(let right)): left as? ListingError == right as? ListingError
  default: false
  }
}
