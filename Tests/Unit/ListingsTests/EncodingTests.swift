import Listings
import ListingsSupport
import Testing

@Suite("Text of a list")
struct EncodingTests {
  private static let list = "#EXTINF:-1,Zürich – 日本\nhttp://a/1\n"

  @Test(
    "Text is decoded with its encoding",
    arguments: [
      Array(list.utf8),
      marked([0xEF, 0xBB, 0xBF], Array(list.utf8)),
      marked([0xFF, 0xFE], utf16(list)),
      marked([0xFE, 0xFF], utf16(list, bigEndian: true)),
      utf16(list),
      utf16(list, bigEndian: true),
      marked([0xFF, 0xFE], utf16(list)) + [0x41],
    ])
  func unicode(_ bytes: [UInt8]) throws {
    #expect(try entries(bytes, .m3u).first == ListEntry(reference: "http://a/1", title: "Zürich – 日本"))
  }

  private static func marked(_ mark: [UInt8], _ text: [UInt8]) -> [UInt8] { mark + text }

  @Test("Text that is not UTF-8 is windows-1252")
  func windows1252() throws {
    let title: [UInt8] = Array(0x80...0xFF)
    let expected =
      "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ"
      + String(String.UnicodeScalarView((0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) }))
    #expect(try entries(Array("#EXTINF:1,".utf8) + title + Array("\nx".utf8), .m3u).first?.title == expected)
  }

  @Test("All kinds of lists decode equally", arguments: ["utf-8", "ISO-8859-1", "windows-1252"])
  func declared(_ name: String) throws {
    let list = """
      <?xml version="1.0" encoding="\(name)"?>
      <playlist><trackList><track><location>x</location><title>Caf
      """
    let rest = "</title></track></trackList></playlist>"
    #expect(try entries(Array(list.utf8) + [0xE9] + Array(rest.utf8), .xspf).first?.title == "Café")
    #expect(try entries([0xFF, 0xFE] + utf16(list + "é" + rest), .xspf).first?.title == "Café")
    #expect(
      try entries(Array("<title>Caf".utf8) + [0xE9] + Array("</title><ref href=x>".utf8), .asx).first?.title == "Café")
    #expect(try entries(Array("File1=x\nTitle1=Caf".utf8) + [0xE9], .pls).first?.title == "Café")
  }

  @Test("Any line end is accepted", arguments: ["\n", "\r", "\r\n", "\n\r", "\r\r\n", "\n \u{0} \n"])
  func lineEnds(_ end: String) throws {
    let lines = ["#EXTM3U", "#EXTINF:9,One", "http://a/1", "http://a/2"]
    let expected = [ListEntry(reference: "http://a/1", title: "One", seconds: 9), ListEntry(reference: "http://a/2")]
    #expect(try entries(lines.joined(separator: end), .m3u) == expected)
    #expect(try entries(end + lines.joined(separator: end) + end, .m3u) == expected)
    #expect(try entries("[playlist]\(end)File1=a\(end)File2=b", .pls).map(\.reference) == ["a", "b"])
  }
}

@Suite("Dates of feeds")
struct FeedDateTests {
  /// 2011-04-27T07:00:00Z.
  private static let morning: Int64 = 1_303_887_600
  /// 2011-04-27T00:00:00Z.
  private static let midnight: Int64? = 1_303_862_400

  @Test(
    "RFC 822 dates are parsed in common variants",
    arguments: [
      "Wed, 27 Apr 2011 07:00:00 GMT", "Wed, 27 Apr 2011 07:00:00 +0000", "27 Apr 2011 07:00 UT",
      "Wed,27 Apr 2011 07:00:00 Z", "wed, 27 april 2011 7:00:00", "Wednesday, 27 Apr 11 07:00:00 GMT",
      "Wed, 27 Apr 2011 09:00:00 +0200", "Wed, 27 Apr 2011 09:00:00 +02:00", "Wed, 27 Apr 2011 03:00:00 EDT",
      "Wed, 27 Apr 2011 02:00:00 CDT", "Tue, 26 Apr 2011 23:00:00 -0800", "Wed, 27 Apr 2011 12:30:00 +0530",
      "Thu, 27 Apr 2011 07:00:00 GMT", "  Wed, 27 Apr 2011\n 07:00:00 GMT ", "Wed, 27 Apr 111 07:00:00 GMT",
      "Wed, Apr 27 2011 07:00:00 GMT", "Apr 27, 2011 7:00 AM", "Wed Apr 27 07:00:00 2011",
      "Wed Apr 27 07:00:00 +0000 2011", "27-Apr-2011 07:00:00", "Wed, 27 Apr 2011 07:00:00 GMT+0000",
      "Wed, 27 Apr 2011 09:00:00 CEST", "Wed, 27 Apr 2011 07:00:00 XYZ",
    ])
  func rfc822(_ text: String) throws { #expect(try date(text) == Self.morning) }

  @Test(
    "RFC 3339 dates and similar ones are parsed",
    arguments: [
      "2011-04-27T07:00:00Z", "2011-04-27T07:00:00.123Z", "2011-04-27t07:00:00z", "2011-04-27T09:00:00+02:00",
      "2011-04-27T09:00:00.5+0200", "2011-04-27T02:00:00-05:00", "2011-04-27 07:00:00", "2011-04-27T07:00",
      "20110427T070000Z", "2011-04-27T09:00+02", "2011 Apr 27 07:00",
    ])
  func rfc3339(_ text: String) throws { #expect(try date(text) == Self.morning) }

  @Test(
    "Dates without a time and extreme dates are parsed",
    arguments: [
      Case("2011-04-27", midnight), Case("27 Apr 2011", midnight), Case("20110427", midnight),
      Case("2011-04", 1_301_616_000), Case("2011", nil), Case("1970-01-01T00:00:00Z", 0),
      Case("1969-12-31T23:59:59Z", -1), Case("2000-02-29", 951_782_400), Case("2011-02-29", nil),
      Case("1900-02-29", nil), Case("31 Apr 2011", nil), Case("27 Apr 2011 12:30 AM", 1_303_864_200),
      Case("27 Apr 2011 12:30 PM", 1_303_907_400), Case("27 Apr 2011 24:00:00", 1_303_948_800),
      Case("27 Apr 2011 25:00:00", nil), Case("27 Apr 2011 07:61:00", nil), Case("31 Dec 2016 23:59:60", 1_483_228_800),
      Case("9999-12-31T23:59:59Z", 253_402_300_799), Case("0000-00-00", nil), Case("yesterday", nil), Case("", nil),
      Case("1", nil), Case("99999999999999999999999999 Apr 2011", nil), Case("Wed, 27 Apr", nil), Case("+-:.TZ", nil),
    ] as [Case<Int64?>])
  func edges(_ one: Case<Int64?>) throws { #expect(try date(one.text) == one.outcome) }

  @Test("The date of publication has priority")
  func ranks() throws {
    let dates = [
      "<updated>2013-01-01</updated>", "<dc:date>2012-01-01</dc:date>", "<pubDate>2011-04-27</pubDate>",
      "<pubDate>2010-01-01</pubDate>",
    ]
    #expect(try feed(rss(item(dates.joined()))).episodes.first?.date == Self.midnight)
    #expect(try feed(rss(item(dates[2] + dates[1] + dates[0]))).episodes.first?.date == Self.midnight)
    #expect(try feed(rss(item(dates[0] + "<pubDate>once</pubDate>"))).episodes.first?.date == 1_356_998_400)
  }

  private func date(_ text: String) throws -> Int64? {
    try feed(rss(item("<pubDate>\(text)</pubDate>"))).episodes.first?.date
  }
}
