import Listings
import Testing

@Suite("OPML")
struct OpmlTests {
  @Test(
    "gives every outline that has an address",
    arguments: [
      Case("<outline url='http://a/1'/>", ["http://a/1"]),
      Case("<outline type='audio' URL='http://a/?x=1&amp;y=2'/>", ["http://a/?x=1&y=2"]),
      Case("<outline type='rss' xmlUrl='http://a/feed' htmlUrl='http://a/'/>", ["http://a/feed"]),
      Case("<outline xmlUrl='no' url='yes'/>", ["yes"]),
      Case("<outline text='a'><outline url='1'/><outline><outline url='2'/></outline></outline>", ["1", "2"]),
      Case("<outline url='1'><outline url='2'/></outline>", ["1", "2"]),
      Case("<outline type='link' url='http://a/more.opml'/>", []),
      Case("<outline isComment='true' url='no'/><outline isComment='true'><outline url='no'/></outline>", []),
      Case("<outline htmlUrl='no'/><outline url=' '/><outline url='C:\\x'/>", []),
      Case("<OUTLINE Url='http://a/1'/>", ["http://a/1"]),
      Case("<url>no</url>", []),
    ])
  func addresses(_ body: Case<[String]>) throws {
    #expect(try references("<opml version='2.0'><head/><body>\(body.text)</body></opml>", .opml) == body.outcome)
  }

  @Test("gives each its text, or else its title")
  func titles() throws {
    let list = """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0"><head><title>All</title></head><body>
        <outline text="Tom &amp; Käthe" title="Later" url="a"/>
        <outline text=" " title="B" url="b"/>
        <outline url="c"/>
      </body></opml>
      """
    #expect(
      try entries(list, .opml) == [
        ListEntry(reference: "a", title: "Tom & Käthe"), ListEntry(reference: "b", title: "B"),
        ListEntry(reference: "c"),
      ])
  }

  @Test("keeps the outlines before the damage, and tells its line where there is none")
  func damage() throws {
    #expect(try references("<opml><body><outline url='a'/><outline url=", .opml) == ["a"])
    #expect(throws: ListingError.malformed(line: 2)) { try entries("<opml>\n<body></opml>", .opml) }
    #expect(throws: ListingError.malformed(line: 1)) { try entries("<!DOCTYPE a [<!ENTITY b 'c'>]><opml/>", .opml) }
  }
}
