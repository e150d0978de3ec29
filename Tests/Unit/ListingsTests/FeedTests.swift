import Listings
import ListingsSupport
import Testing

/// Reads a feed from one piece of text.
func feed(_ text: String) throws(ListingError) -> Feed { try feed(Array(text.utf8)) }

/// An RSS item with audio and further elements.
func item(_ more: String = "", url: String = "http://a/1.mp3") -> String {
  "<item><enclosure url='\(url)' type='audio/mpeg'/>\(more)</item>"
}

/// An RSS document with this channel content.
func rss(_ channel: String) -> String { "<rss version='2.0'><channel>\(channel)</channel></rss>" }

@Suite("Feeds")
struct FeedTests {
  @Test("RSS 2.0 with iTunes fields is read")
  func rss2() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
        <channel>
          <title>The Show</title><itunes:title>Not this</itunes:title><itunes:type>Serial</itunes:type>
          <image><url>http://a/i.png</url><title>A picture</title></image>
          <item>
            <title>Second</title><itunes:title>Short</itunes:title>
            <guid isPermaLink="false"> id-2 </guid>
            <pubDate>Wed, 27 Apr 2011 07:00:00 GMT</pubDate>
            <enclosure url="http://a/2.mp3" length="1234" type="audio/mpeg"/>
            <itunes:duration>1:02:03</itunes:duration>
          </item>
          <item><title>Nothing to be heard</title></item>
          <item><itunes:title>First</itunes:title><enclosure url="1.mp3?x=1&amp;y=2" length="0"/></item>
        </channel>
      </rss>
      """
    let episodes = [
      Episode(
        reference: "http://a/2.mp3", title: "Second", date: 1_303_887_600, seconds: 3_723, identifier: "id-2"),
      Episode(reference: "1.mp3?x=1&y=2", title: "First"),
    ]
    #expect(try feed(text) == Feed(title: "The Show", isSerial: true, episodes: episodes))
    #expect(
      try entries(text, .feed) == [
        ListEntry(reference: "http://a/2.mp3", title: "Second", seconds: 3_723),
        ListEntry(reference: "1.mp3?x=1&y=2", title: "First"),
      ])
  }

  @Test("Atom is read")
  func atom() throws {
    let text = """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a/shows/">
        <title type="html">Tom &amp;amp; &lt;b>Käthe&lt;/b></title>
        <entry xml:base="one/">
          <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">An <em>old</em><br/>one</div></title>
          <id>tag:a,1</id><updated>2012-01-01T00:00:00Z</updated><published>2003-12-13T18:30:02.25+01:00</published>
          <link rel="alternate" href="page.html"/><link rel="enclosure" href="a.mp3" type="audio/mpeg" length="7"/>
        </entry>
        <entry><title>a &lt;b> c</title>
          <updated>2012-01-01T00:00:00Z</updated><link rel="enclosure" href="/b.aac"/></entry>
      </feed>
      """
    let episodes = [
      Episode(
        reference: "http://a/shows/one/a.mp3", title: "An old one", date: 1_071_336_602, identifier: "tag:a,1"),
      Episode(reference: "http://a/b.aac", title: "a <b> c", date: 1_325_376_000),
    ]
    #expect(try feed(text) == Feed(title: "Tom & Käthe", episodes: episodes))
  }

  @Test("RSS 1.0, with items next to the channel, is read")
  func rdf() throws {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
      <channel rdf:about="http://a/"><title>Old</title></channel>
      <item rdf:about="http://a/1"><title>One</title><dc:date>2005-01-02</dc:date>
        <enc:enclosure rdf:resource="http://a/1.mp3" enc:type="audio/mpeg" enc:length="5"/></item>
      </rdf:RDF>
      """
    let episode = Episode(
      reference: "http://a/1.mp3", title: "One", date: 1_104_624_000, identifier: "http://a/1")
    #expect(try feed(text) == Feed(title: "Old", episodes: [episode]))
  }

  @Test(
    "Prefixes have their declared meaning",
    arguments: [
      Case("<i:duration xmlns:i='http://www.itunes.com/dtds/podcast-1.0.dtd'>5</i:duration>", 5),
      Case("<i:duration xmlns:i='http://www.iTunes.com/DTDs/Podcast-1.0.dtd'>5</i:duration>", 5),
      Case("<itunes:duration>5</itunes:duration>", 5), Case("<duration>5</duration>", nil),
      Case("<x:duration>5</x:duration>", nil),
    ])
  func prefixes(_ one: Case<Int?>) throws {
    #expect(try feed(rss(item(one.text))).episodes.map(\.seconds) == [one.outcome])
  }

  @Test(
    "Lengths are read",
    arguments: [
      Case("1:02:03", 3_723), Case("62:03", 3_723), Case("3723", 3_723), Case(" 3723.9 ", 3_723),
      Case("00:20:00", 1_200),
      Case("0", nil), Case("", nil), Case("soon", nil), Case("1:2:3:4", nil), Case("99999999999999999999", nil),
      Case("-5", nil),
    ])
  func lengths(_ one: Case<Int?>) throws {
    let length = "<itunes:duration>\(one.text)</itunes:duration>"
    #expect(try feed(rss(item(length))).episodes.map(\.seconds) == [one.outcome])
  }

  @Test(
    "Titles become plain text",
    arguments: [
      Case("A &amp; B", "A & B"), Case("A &amp;amp; B", "A & B"), Case("<![CDATA[A &amp; <b>B</b>]]>", "A & B"),
      Case("&lt;i&gt;A&lt;/i&gt;&amp;#8217;s", "A’s"), Case("a<br/>b", "a b"), Case("a <b>b</b>c", "a bc"),
      Case("3 &lt; 4 > 2", "3 < 4 > 2"), Case(" a\n\t b ", "a b"), Case("a<!-- b -->c", "ac"), Case(" ", nil),
      Case("&#x4A;&#75;&#150;&#0;&#xFFFF;", "JK–"), Case("caf&eacute;&nbsp;&hellip;", "café …"),
      Case("a&unknown;b &copy c", "a&unknown;b &copy c"), Case("\u{202E}a\u{7}b", "ab"),
      Case("<title>a</title>", "a"), Case("]]>", "]]>"), Case("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
    ])
  func titles(_ one: Case<String?>) throws {
    #expect(try feed(rss(item("<title>\(one.text)</title>"))).episodes.map(\.title) == [one.outcome])
  }

  @Test(
    "The first playable enclosure is used, else the first audible one",
    arguments: [
      Case("a.ogg audio/ogg, b.mp3 audio/mpeg", "a.ogg"), Case("a.mp4 video/mp4, b audio/aacp", "b"),
      Case("a.jpg image/jpeg, b.mp3 audio/mpeg", "b.mp3"), Case("a.m4a audio/x-m4a, b.mp3", "b.mp3"),
      Case("a.mp3 audio/mpeg, b.mp3 audio/mpeg", "a.mp3"), Case("a.m4a, b.ogg", "b.ogg"),
      Case("a.mp3?x=1#y application/octet-stream", "a.mp3?x=1#y"), Case("a", "a"), Case("a.mp4 video/mp4", nil),
      Case("a.jpg", nil), Case("a text/html", nil), Case("a.mp3 video/mpeg", "a.mp3"), Case("a.pdf", nil),
      Case("a AUDIO/MPEG", "a"), Case("a.aac ", "a.aac"), Case("C:\\a.mp3 audio/mpeg, b.mp3", "b.mp3"),
    ])
  func enclosures(_ one: Case<String?>) throws {
    let elements = one.text.split(separator: ", ").map { $0.split(separator: " ") }.map { parts in
      "<enclosure url='\(parts[0])' " + (parts.count > 1 ? "type='\(parts[1])'/>" : "/>")
    }
    let text = rss("<item>\(elements.joined())</item>" + item(url: "last.mp3"))
    #expect(try feed(text).episodes.map(\.reference) == [one.outcome, "last.mp3"].compactMap { $0 })
  }

  @Test(
    "Media RSS is read",
    arguments: [
      Case("<media:content url='a.mp3' fileSize='9' duration='60' type='audio/mpeg'/>", "a.mp3 60"),
      Case("<media:group><media:content url='a' medium='audio'/></media:group>", "a 0"),
      Case("<media:content url='a'/>", nil), Case("<media:content url='a.mp4' medium='video'/>", nil),
      Case("<media:content url='a.jpg' medium='image'/><media:content url='b.mp3'/>", "b.mp3 0"),
      Case("<media:thumbnail url='a.mp3'/>", nil),
    ])
  func media(_ one: Case<String?>) throws {
    let list = try feed(rss("<item>\(one.text)</item>" + item())).episodes.dropLast()
    #expect(list.map { "\($0.reference) \($0.seconds ?? 0)" } == [one.outcome].compactMap { $0 })
  }

  @Test("A feed without audible episodes is not a podcast")
  func empty() {
    #expect(throws: ListingError.empty) { try feed(rss("<title>A</title><item><title>B</title></item>")) }
    #expect(throws: ListingError.empty) { try feed("<html><body>no</body></html>") }
    #expect(throws: ListingError.malformed(line: 1)) { try feed("no") }
    #expect(throws: ListingError.malformed(line: 1)) { try feed("") }
  }

  @Test(
    "A link to audio is the episode's audio without an enclosure",
    arguments: [
      ("<link>http://a/1.mp3</link>", "http://a/1.mp3"), ("<link>http://a/1.ogg?b=c</link>", "http://a/1.ogg?b=c"),
      ("<link href='http://a/1' type='audio/mpeg'/>", "http://a/1"),
      ("<link> http://a/1.m4a </link>", "http://a/1.m4a"),
      ("<link>http://a/1.html</link>", nil), ("<link>http://a/</link>", nil), ("<link/>", nil),
      ("<link>http://a/1.mp3</link><enclosure url='http://a/2.mp3' type='audio/mpeg'/>", "http://a/2.mp3"),
      ("<enclosure url='http://a/2.pdf' type='application/pdf'/><link>http://a/1.mp3</link>", "http://a/1.mp3"),
    ] as [(String, String?)])
  func links(content: String, reference: String?) throws {
    let text = rss(item(url: "http://a/0.mp3") + "<item><title>T</title>\(content)</item>")
    let found = try feed(text).episodes.dropFirst().map(\.reference)
    #expect(found == (reference.map { [$0] } ?? []))
  }

  @Test("A long feed in ascending order has its newest episodes, other long feeds have their first")
  func longFeeds() throws {
    func numbers(_ order: [Int], isSerial: Bool = false) throws -> [String] {
      let items = order.map {
        "<item><guid>\($0)</guid><pubDate>\(1_600 + $0)-01-01</pubDate><enclosure url='/a.mp3'/></item>"
      }
      let type = isSerial ? "<itunes:type>serial</itunes:type>" : ""
      return try feed(rss(type + items.joined())).episodes.map(\.identifier)
    }
    let years = Array(400..<1_700)
    #expect(try numbers(years) == years.suffix(500).map(String.init))
    #expect(try numbers(years.reversed()) == years.reversed().prefix(500).map(String.init))
    #expect(try numbers(years, isSerial: true) == years.prefix(500).map(String.init))
  }
}
