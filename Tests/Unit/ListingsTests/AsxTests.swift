import Listings
import Testing

@Suite("ASX")
struct AsxTests {
  @Test(
    "ASX gives every reference",
    arguments: [
      Case("<asx version=\"3.0\"><entry><ref href=\"http://a/1\"/></entry></asx>", ["http://a/1"]),
      Case("<ASX><ENTRY><REF HREF='http://a/1'></ENTRY></ASX>", ["http://a/1"]),
      Case("<Asx><Entry><Ref\n  x=\"y>z\"\r\n  Href = \"http://a/1\" /></Entry>", ["http://a/1"]),
      Case("<ref href=http://a/1><ref href=\"mms://b/2\"", ["http://a/1", "mms://b/2"]),
      Case("<entryref href=\"more.asx\"/><ref/><ref href/><ref href=\"\"/><reference href=\"no\"/>", ["more.asx"]),
      Case("<ref href=\"http://a/?x=1&amp;y=2&z=&lt;3&apos;\"/>", ["http://a/?x=1&y=2&z=<3'"]),
      Case("<!-- <ref href=\"no\"/> - -- --><ref href=\"yes\"/>", ["yes"]),
      Case("<ref href=\"yes\"/><!-- <ref href=\"no\"/>", ["yes"]),
      Case("<ref href=\"broken\n<ref href=\"http://a/1\"/>", ["http://a/1"]),
      Case("<ref <ref href=\"http://a/1\" href=\"http://a/2\">", ["http://a/1"]),
      Case("<abstract>it's < & 3</abstract><ref href='http://a/1'/>", ["http://a/1"]),
      Case(
        "[Reference]\r\nRef1=http://a/1?MSWMExt=.asf\r\nRef2=http://b/2\r\n",
        ["http://a/1?MSWMExt=.asf", "http://b/2"]),
      Case("<html><a href=\"http://a/\">x</a></html>", []),
    ])
  func references(_ list: Case<[String]>) throws {
    #expect(try ListingsTests.references(list.text, .asx) == list.outcome)
  }

  @Test("ASX gives each reference its entry's title")
  func titles() throws {
    let list = """
      <asx><title>The list</title>
      <entry><ref href="a"/><title> Tom &amp; Jerry &</title><ref href="b"/><title>Later</title></entry>
      <ENTRY><TITLE></TITLE><ref href="c"/>
      <entry><title>D</title><ref href="d"/></entry></asx>
      """
    #expect(
      try entries(list, .asx) == [
        ListEntry(reference: "a", title: "Tom & Jerry &"),
        ListEntry(reference: "b", title: "Tom & Jerry &"),
        ListEntry(reference: "c"),
        ListEntry(reference: "d", title: "D"),
      ])
  }
}

@Suite("OPML")
struct OpmlTests {
  @Test(
    "OPML gives every outline with an address",
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

  @Test("OPML gives each outline its text, else its title")
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

  @Test("OPML keeps the outlines before damage, and reports its line without any")
  func damage() throws {
    #expect(try references("<opml><body><outline url='a'/><outline url=", .opml) == ["a"])
    #expect(throws: ListingError.malformed(line: 2)) { try entries("<opml>\n<body></opml>", .opml) }
    #expect(throws: ListingError.malformed(line: 1)) { try entries("<!DOCTYPE a [<!ENTITY b 'c'>]><opml/>", .opml) }
  }
}
