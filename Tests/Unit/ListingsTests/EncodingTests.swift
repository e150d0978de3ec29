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

  /// A title in an encoding, and its text.
  static let encoded: [(name: String, bytes: [UInt8], text: String)] = [
    ("windows-1251", [0xC2, 0xFB, 0xEF, 0xF3, 0xF1, 0xEA], "Выпуск"),
    ("KOI8-R", [0xF7, 0xD9, 0xD0, 0xD5, 0xD3, 0xCB], "Выпуск"),
    ("ISO-8859-2", [0xAE, 0x6C, 0x75, 0xBB, 0xE8, 0x6B, 0xFD], "Žluťčký"),
    ("windows-1250", [0x8E, 0x6C, 0x75, 0x9D, 0xE8, 0x6B, 0xFD], "Žluťčký"),
    ("iso-8859-15", [0xBC, 0x75, 0x20, 0xA4], "Œu €"),
    ("iso-8859-7", [0xD4, 0xEF, 0x20, 0xC3], "Το Γ"), ("iso-8859-9", [0x49, 0xFE, 0xFD, 0x6B], "Işık"),
    ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x82, 0xCC, 0x83, 0x57], "日本のジ"),
    ("x-sjis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
    ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC, 0xA5, 0xE9], "日本ラ"), ("gbk", [0xD6, 0xD0, 0xB9, 0xFA], "中国"),
    ("gb2312", [0xD6, 0xD0, 0x81, 0x40], "中丂"), ("euc-kr", [0xC7, 0xD1, 0xB1, 0xB9], "한국"),
    ("ks_c_5601-1987", [0xC7, 0xD1], "한"), ("big5", [0xA4, 0xA4, 0xB9, 0x71, 0xA5, 0x78], "中電台"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
    ("iso-8859-1", [0x43, 0xE9, 0x80], "Cé€"), ("us-ascii", [0x43, 0xE9], "Cé"), ("x-martian", [0x43, 0xE9], "Cé"),
    ("utf-16", [0xC3, 0xA9], "é"),
    // Valid UTF-8 has priority over a wrong declaration.
    ("ISO-8859-1", Array("Mixórdia".utf8), "Mixórdia"), ("windows-1251", Array("Выпуск".utf8), "Выпуск"),
    ("gbk", Array("中国之声".utf8), "中国之声"), ("x-martian", Array("é".utf8), "é"),
  ]

  @Test("A declared encoding applies to each kind of document, unless the text is valid UTF-8", arguments: encoded)
  func declaredEncodings(name: String, bytes: [UInt8], text: String) throws {
    func document(_ head: String, _ tail: String) -> [UInt8] {
      Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>\n\(head)".utf8) + bytes + Array(tail.utf8)
    }
    let xspf = document(
      "<playlist><trackList><track><location>x</location><title>", "</title></track></trackList></playlist>")
    #expect(try entries(xspf, .xspf).first?.title == text)
    #expect(
      try entries(document("<asx><entry><ref href='x'/><title>", "</title></entry></asx>"), .asx).first?.title == text)
    let rss = document("<rss><channel><item><enclosure url='/1.mp3'/><title>", "</title></item></channel></rss>")
    for length in [1, 3, 1_000_000] { #expect(try feed(rss, pieces: length).episodes.first?.title == text) }
  }

  @Test("The encoding of a long feed is decided by its first characters, and a character may be cut anywhere")
  func longFeed() throws {
    let title =
      Array("<title>".utf8) + (0..<250).flatMap { _ in [0x93, 0xFA, 0x96, 0x7B] as [UInt8] } + Array("</title>".utf8)
    let item = Array("<item><enclosure url='/1.mp3'/>".utf8) + title + Array("</item>".utf8)
    let head = Array("<?xml version='1.0' encoding='shift_jis'?><rss><channel>".utf8)
    let text = head + (0..<60).flatMap { _ in item } + Array("</channel></rss>".utf8)
    let titles = Set(try feed(text, pieces: 997).episodes.map { $0.title ?? "" })
    #expect(titles.count == 1)
    #expect(titles.first?.hasPrefix("日本日本") == true && titles.first?.contains("\u{FFFD}") == false)
  }

  @Test("An M3U list and an ASX list may name their encoding")
  func namedInList() throws {
    let words: [UInt8] = [0xCA, 0xE8]
    #expect(
      try entries(Array("#EXTM3U\n#EXTENC: windows-1251\n#EXTINF:1,".utf8) + words + Array("\nx".utf8), .m3u).first?
        .title == "Ки")
    let asx = Array("<asx><param name='Encoding' value='windows-1251'/><entry><title>".utf8) + words
    #expect(try entries(asx + Array("</title><ref href=x></entry></asx>".utf8), .asx).first?.title == "Ки")
  }

  @Test(
    "The charset of the header applies to a document that declares none, unless it is valid UTF-8",
    arguments: [
      ("text/xml; charset=windows-1251", [0xCA, 0xE8], "Ки"), ("text/xml;Charset=\"ISO-8859-2\"; x=y", [0xB3], "ł"),
      ("audio/x-mpegurl; charset=windows-1251", Array("é".utf8), "é"), ("text/xml; charset=ISO-8859-1", [0x93], "“"),
      ("text/xml; charset=x-martian", [0xE9], "é"), ("text/xml; charset", [0xE9], "é"), ("charset=koi8-r", [0xE9], "é"),
    ] as [(String, [UInt8], String)])
  func sentEncoding(contentType: String, bytes: [UInt8], text: String) throws {
    let m3u = Array("#EXTM3U\n#EXTINF:1,".utf8) + bytes + Array("\nx".utf8)
    #expect(try PlaylistParser.entries(of: m3u.span, kind: .m3u, contentType: contentType).first?.title == text)
    for head in ["", "<?xml version='1.0'?>"] {
      let start = head + "<rss><channel><item><enclosure url='/1.mp3'/><title>"
      let rss = Array(start.utf8) + bytes + Array("</title></item></channel></rss>".utf8)
      var reader = FeedReader(contentType: contentType)
      reader.append(rss.span)
      #expect(try reader.finish().episodes.first?.title == text)
    }
    let declared = Array("<?xml version='1.0' encoding='koi8-r'?><rss><channel><item><title>".utf8) + [0xEB, 0xC9]
    var reader = FeedReader(contentType: contentType)
    reader.append((declared + Array("</title><enclosure url='/1.mp3'/></item></channel></rss>".utf8)).span)
    #expect(try reader.finish().episodes.first?.title == "Ки")
  }

  @Test("An unknown encoding is reported unless the text is valid UTF-8")
  func unknownEncoding() throws {
    func feedIn(_ name: String, _ title: [UInt8]) throws -> Feed {
      let head = "<?xml version='1.0' encoding='\(name)'?><rss><channel><item><enclosure url='/1.mp3'/><title>"
      return try feed(Array(head.utf8) + title + Array("</title></item></channel></rss>".utf8))
    }
    #expect(try feedIn("x-martian", [0xE9]).unknownEncoding == "x-martian")
    #expect(try feedIn("x-martian", Array("é".utf8)).unknownEncoding == nil)
    #expect(try feedIn("x-martian", [0x41]).unknownEncoding == nil)
    #expect(try feedIn("koi8-r", [0xE9]).unknownEncoding == nil)
  }

  @Test(
    "Text before the XML declaration is dropped",
    arguments: [
      "\n\n", "Warning: headers already sent\n",
      "<br />\n<b>Warning</b>:  Cannot modify header in <b>/a.php</b><br />\n",
      "\u{FEFF}\n", "{}",
    ])
  func leadingText(_ text: String) throws {
    let rss = text + "<?xml version='1.0' encoding='UTF-8'?>" + rss(item("<title>É</title>"))
    for length in [1, 1_000] { #expect(try feed(Array(rss.utf8), pieces: length).episodes.first?.title == "É") }
    let list = "<?xml version='1.0'?><playlist><trackList><track><location>x</location></track></trackList></playlist>"
    #expect(try references(text + list, .xspf) == ["x"])
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
