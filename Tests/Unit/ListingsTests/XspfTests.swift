import Listings
import Testing

@Suite("XSPF")
struct XspfTests {
  @Test(
    "XSPF gives every location of every track",
    arguments: [
      Case(track("<location>http://a/1</location>"), ["http://a/1"]),
      Case(track("<location>\n http://a/1\n</location><location>http://b/1</location>"), ["http://a/1", "http://b/1"]),
      Case(track("<location>http://a/?x=1&amp;y=2</location>"), ["http://a/?x=1&y=2"]),
      Case(track("<location><![CDATA[http://a/?x&y]]></location>"), ["http://a/?x&y"]),
      Case(track("<location>http://a/&#x31;</location>"), ["http://a/1"]),
      Case(track("<location>a b.mp3</location><location/><location>C:\\x</location>"), ["a%20b.mp3"]),
      Case(track("<extension><location>no</location></extension><Location>yes</Location>"), ["yes"]),
      Case("<playlist><location>no</location><trackList/></playlist>", []),
      Case("<x:playlist><x:trackList><x:track><x:location>a</x:location></x:track></x:trackList></x:playlist>", ["a"]),
      Case("<rss><trackList><track><location>no</location></track></trackList></rss>", []),
    ])
  func locations(_ list: Case<[String]>) throws {
    #expect(try references(list.text, .xspf) == list.outcome)
  }

  @Test("XSPF gives each location its track's title and length")
  func titles() throws {
    let list = """
      \u{FEFF}
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE playlist SYSTEM "http://xspf.org/x.dtd">
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>All</title><trackList>
        <track>
          <location>a</location><title>Tom &amp; <![CDATA[Käthe]]></title><location>b</location>
          <duration>61999</duration><title>Later</title>
        </track>
        <track><title>No place</title></track>
        <track><location>c</location><duration>-1</duration><title> </title></track>
      </trackList></playlist>
      """
    var second = ListEntry(reference: "b", title: "Tom & Käthe", seconds: 61)
    second.isAlternative = true
    #expect(
      try entries(list, .xspf) == [
        ListEntry(reference: "a", title: "Tom & Käthe", seconds: 61),
        second,
        ListEntry(reference: "c"),
      ])
  }

  @Test(
    "A location is relative to its xml:base",
    arguments: [
      ("http://a/b/c", "x", "http://a/b/x"),
      ("http://a/b/", "x", "http://a/b/x"),
      ("http://a", "x", "http://a/x"),
      ("http://a?q/r", "x", "http://a/x"),
      ("http://a/b/c?d=/e", "/x", "http://a/x"), ("http://a/b/c?d#e", "?f", "http://a/b/c?f"),
      ("http://a/b/c?d#e", "#f", "http://a/b/c?d#f"), ("http://a/b/c", "?f=/g", "http://a/b/c?f=/g"),
      ("http://a/b/", "#f", "http://a/b/#f"), ("http://a", "?f", "http://a?f"),
      ("http://a/b", "//h/x", "http://h/x"),
      ("http://a/b", "https://h/x", "https://h/x"),
      ("http://a/b", "x?u=http://h/", "http://a/x?u=http://h/"),
      ("music/", "x", "music/x"),
      ("music", "/x", "/x"),
      ("music", "x", "x"),
      ("//h", "x", "//h/x"),
      ("", "x", "x"),
    ])
  func base(_ base: String, _ location: String, _ expected: String) throws {
    #expect(try references(track("<location>\(location)</location>", base: base), .xspf) == [expected])
  }

  @Test("A base is relative to its outer base")
  func nestedBases() throws {
    let list = """
      <playlist xml:base="http://a/"><trackList xml:base="b/"><track xml:base="c/">
      <location xml:base="d/">x</location><location>y</location>
      </track><track><location>z</location></track></trackList></playlist>
      """
    #expect(try references(list, .xspf) == ["http://a/b/c/d/x", "http://a/b/c/y", "http://a/b/z"])
  }

  @Test("Tracks before damage count")
  func damage() throws {
    let whole = track("<location>http://a/1</location>")
    #expect(try references(whole.replacing("</trackList>", with: "<track>&oops"), .xspf) == ["http://a/1"])
  }

  @Test(
    "A fault before any track is reported by line",
    arguments: [
      Case("http://a/1", 1),
      Case("<playlist>\n<trackList>\n<track>&", 3),
      Case("<playlist>\r\n\r\n</trackList>", 3),
      Case("<!DOCTYPE playlist [\n<!ENTITY e \"x\">]><playlist>&e;</playlist>", 1),
      Case("<!DOCTYPE playlist SYSTEM \"file:///etc/passwd\" [\n]><playlist/>", 1),
      Case("<playlist " + (0..<65).map { "a\($0)=''" }.joined(separator: " ") + "/>", 1),
    ])
  func broken(_ list: Case<Int>) {
    #expect(throws: ListingError.malformed(line: list.outcome)) { try entries(list.text, .xspf) }
  }
}

private func track(_ content: String, base: String = "") -> String {
  "<playlist><trackList><track xml:base=\"\(base)\">\(content)</track></trackList></playlist>"
}
