import Listings
import TestSupport
import Testing

@Suite("Dates of feeds")
struct FeedDateTests {
  /// 2011-04-27T07:00:00Z.
  private static let morning: Int64 = 1_303_887_600
  /// 2011-04-27T00:00:00Z.
  private static let midnight: Int64? = 1_303_862_400

  @Test(
    "RFC 822, as people write it",
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
    "RFC 3339 and what is like it",
    arguments: [
      "2011-04-27T07:00:00Z", "2011-04-27T07:00:00.123Z", "2011-04-27t07:00:00z", "2011-04-27T09:00:00+02:00",
      "2011-04-27T09:00:00.5+0200", "2011-04-27T02:00:00-05:00", "2011-04-27 07:00:00", "2011-04-27T07:00",
      "20110427T070000Z", "2011-04-27T09:00+02", "2011 Apr 27 07:00",
    ])
  func rfc3339(_ text: String) throws { #expect(try date(text) == Self.morning) }

  @Test(
    "without a time, and at the edges",
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

  @Test("the day of publication counts before any other")
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
