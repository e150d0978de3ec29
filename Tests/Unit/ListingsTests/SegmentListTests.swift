@testable import Listings
import Testing
import Units

/// Facts of a whole media playlist, and the broadcast times of its segments.
@Suite("HLS media playlists")
struct SegmentListTests {
  @Test(
    "A target duration is within 1 … 3,600 s, and estimated if missing",
    arguments: [
      ("#EXT-X-TARGETDURATION:6", 6, SegmentList.TargetOrigin.told), ("#EXT-X-TARGETDURATION: 6.4", 6.4, .told),
      ("#EXT-X-TARGETDURATION:3600", 3_600, .told), ("#EXT-X-TARGETDURATION:1", 1, .told),
      ("#EXT-X-TARGETDURATION:3601", 3_600, .clamped), ("#EXT-X-TARGETDURATION:99999999999999999999", 3_600, .clamped),
      ("#EXT-X-TARGETDURATION:0.5", 1, .clamped), ("#EXT-X-TARGETDURATION:0", 10, .estimated),
      ("#EXT-X-TARGETDURATION:-6", 10, .estimated), ("#EXT-X-TARGETDURATION:x", 10, .estimated),
      ("#EXT-X-TARGETDURATION", 10, .estimated), ("", 10, .estimated),
      ("#EXT-X-TARGETDURATION:0\n#EXTINF:4.2,\na\n#EXTINF:4,\nb", 5, .estimated),
      ("#EXTINF:4,\na", 4, .estimated), ("#EXTINF:0.1,\na", 1, .estimated), ("#EXTINF:9999,\na", 3_600, .estimated),
    ])
  func targets(_ text: String, _ seconds: Double, _ origin: SegmentList.TargetOrigin) throws {
    let list = try #require(try SegmentReading.media(text))
    #expect(list.targetDuration == StreamTime(seconds: seconds) && list.targetOrigin == origin)
  }

  @Test(
    "A sequence number is 0 … 2⁶³, at any place",
    arguments: [
      ("0", 0), ("7", 7), (" 12 ", 12), ("9.7", 9), ("-5", 0), ("x", 0), ("", 0), ("9223372036854775807", 1 << 63 - 1),
      ("9223372036854775808", 1 << 63), ("18446744073709551615", 1 << 63), ("99999999999999999999999999", 1 << 63),
    ] as [(String, UInt64)])
  func sequences(_ text: String, _ first: UInt64) throws {
    for tags in [
      "#EXT-X-MEDIA-SEQUENCE:\(text)\n#EXTINF:1,\na\n#EXTINF:1,\nb",
      "#EXTINF:1,\na\n#EXTINF:1,\nb\n#EXT-X-MEDIA-SEQUENCE:\(text)",
    ] {
      let list = try #require(try SegmentReading.media(tags + "\n#EXT-X-DISCONTINUITY-SEQUENCE:\(text)"))
      #expect(list.sequence == first && list.discontinuitySequence == first)
      #expect(list.segments.map(\.sequence) == [first, first + 1])
      #expect(list.segments.map(\.discontinuity) == [first, first])
    }
  }

  @Test("Tags of the whole list are read")
  func properties() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-VERSION:9\n#EXT-X-PLAYLIST-TYPE: event\n#EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,HOLD-BACK=18.5\n#EXT-X-ENDLIST
        """))
    #expect(list.version == 9 && list.form == .growing && list.isEnded)
    #expect(list.start?.offset == StreamTime(seconds: -12.5) && list.start?.isPrecise == true)
    #expect(list.holdBack == StreamTime(seconds: 18.5))
    let bare = try #require(
      try SegmentReading.media("#EXT-X-VERSION:x\n#EXT-X-PLAYLIST-TYPE:x\n#EXT-X-START:PRECISE=YES"))
    #expect(bare.version == 1 && bare.form == nil && bare.start == nil && bare.holdBack == nil && !bare.isEnded)
    let far = try #require(
      try SegmentReading.media("#EXT-X-START:TIME-OFFSET=-1e30\n#EXT-X-SERVER-CONTROL:HOLD-BACK=1e9"))
    #expect(far.start?.offset.seconds == -1e9 && far.holdBack?.seconds == 3_600)
  }

  // MARK: Dates

  /// 2010-02-19 14:54:23 UTC.
  private static let moment: Int64 = 1_266_591_263

  @Test(
    "A date is read with fraction and zone",
    arguments: [
      ("2010-02-19T14:54:23Z", 0), ("2010-02-19T14:54:23", 0), ("2010-02-19t14:54:23z", 0),
      ("2010-02-19T14:54:23.031Z", 31_000_000), ("2010-02-19T14:54:23,5", 500_000_000),
      ("2010-02-19T14:54:23.123456789123Z", 123_456_789), ("2010-02-19T22:54:23.031+08:00", 31_000_000),
      ("2010-02-19T11:24:23.5-0330", 500_000_000), ("2010-02-19T15:54:23+01", 0), ("20100219T145423Z", 0),
      ("2010-02-19 14:54:23.25 UTC", 250_000_000), ("Fri, 19 Feb 2010 14:54:23 GMT", 0),
      ("2010-02-19T14:54:23.5 CET", -3_599_500_000_000),
    ] as [(String, Int64)])
  func dates(_ text: String, _ nanoseconds: Int64) throws {
    let segment = try #require(try SegmentReading.segment("#EXT-X-PROGRAM-DATE-TIME:" + text))
    #expect(segment.date == Self.moment * 1_000_000_000 + nanoseconds)
  }

  @Test(
    "An invalid date leaves the clock unchanged",
    arguments: [
      "", "x", "2010", "2010-13-19T14:54:23Z", "2010-02-30T14:54:23Z", "2010-02-19T25:54:23Z", "9999-02-19T14:54:23Z",
      "14:54:23", "2010-02-19T14:60:23Z",
    ])
  func noDates(_ text: String) throws {
    #expect(try SegmentReading.segment("#EXT-X-PROGRAM-DATE-TIME:" + text)?.date == nil)
    let list = try #require(
      try SegmentReading.media(
        "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:01Z\n#EXTINF:2.5,\na\n"
          + "#EXT-X-PROGRAM-DATE-TIME:\(text)\n#EXTINF:1,\nb"
      ))
    #expect(list.segments.map(\.date) == [1_000_000_000, 3_500_000_000])
  }

  @Test("A segment without a date follows its neighbour, also backwards")
  func clock() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXTINF:2,\na\n#EXTINF:3,\nb\n#EXTINF:4,\n#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:10Z\nc
        #EXTINF:0.1,\nC:\\dropped\n#EXTINF:0.1,\nd\n#EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:1970-01-01T01:00:00+00:30\n#EXTINF:1,\ne\n#EXTINF:1,\nf
        """))
    let expected: [Int64] = [5_000, 7_000, 10_000, 14_100, 1_800_000, 1_801_000]
    #expect(zip(list.segments, expected).allSatisfy { abs(($0.date ?? 0) - $1 * 1_000_000) <= 2 })
    #expect(list.segments.map(\.sequence) == [0, 1, 2, 4, 5, 6])
  }

  @Test("Dates at the end of countable time do not break it")
  func edges() throws {
    let last = "#EXT-X-PROGRAM-DATE-TIME:2262-04-11T23:30:00Z\n"
    let list = try #require(try SegmentReading.media(last + "#EXTINF:3600,\na\n#EXTINF:1,\nb\n#EXTINF:1,\nc"))
    #expect(list.segments.map { $0.date == nil } == [false, true, true])
    let first = "#EXT-X-PROGRAM-DATE-TIME:1677-09-21T01:00:00Z\n"
    let early = try #require(try SegmentReading.media("#EXTINF:3600,\nz\n#EXTINF:3600,\na\n" + first + "#EXTINF:1,\nb"))
    #expect(early.segments.count == 3)
  }

  @Test("Each segment may have a date in the usual form, and a thousand in others")
  func manyDates() throws {
    for (zone, dated) in [
      ("Z", 2_000), ("", 2_000), (".5+08:00", 2_000), ("-0330", 2_000), ("+08", 2_000), (" CET", 1_000),
    ] {
      let lines = (0..<2_000).map { number in
        "#EXT-X-PROGRAM-DATE-TIME:\(2_000 + number % 100)-01-01T00:00:00\(zone)\n#EXTINF:0,\nx\n"
      }
      let list = try #require(try SegmentReading.media(lines.joined()))
      #expect(zip(list.segments, list.segments.dropFirst()).count { $0.date != $1.date } == dated - 1)
    }
  }

  // MARK: Kind

  @Test(
    "Content that is not a playlist is refused",
    arguments: [
      ("", HlsPlaylistError.empty), (" \r\n\t\n", .empty), ("\u{FEFF}", .empty), ("# a comment", .empty),
      ("<html>\n#EXTM3U", .notPlaylist), ("Not found", .notPlaylist), ("{\"a\": 1}", .notPlaylist),
      ("http://a/b.ts\n#EXTM3U\n#EXTINF:1,\na", .notPlaylist), ("#EXT-X-TARGETDURATION:6", .notPlaylist),
      ("#EXT-X-MEDIA:TYPE=AUDIO,URI=\"a\"", .notPlaylist), ("#EXTINF:1,", .notPlaylist),
    ])
  func refused(_ text: String, _ error: HlsPlaylistError) {
    #expect(throws: error) { try SegmentReading.playlist(text) }
  }

  @Test(
    "A playlist is accepted with any text around it",
    arguments: [
      "#EXTM3U\n#EXTINF:1,\na", "\u{FEFF}#EXTM3U\r\n#EXTINF:1,\r\na\r\n",
      "\n  \u{FEFF} #extm3u x=1\r#extinf:1,\r a\t\r",
      "# comment\n#EXTM3U\n#EXTINF:1,\n\n\n# comment\n#EXT-X-UNKNOWN:1\n#EXTX\na\nno segment\n#EXTINF:1,",
      "#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na", "#EXTINF:1,\n\"a\"", "#EXTM3U\n#EXTINF:1,\n'a'",
    ])
  func taken(_ text: String) throws {
    guard case .media(let list) = try SegmentReading.playlist(text) else {
      Issue.record("this is no media playlist")
      return
    }
    #expect(list.segments.map(\.address) == ["a"])
    #expect(list.segments.map(\.duration.seconds) == [1])
  }

  @Test("An address is cleaned, and a segment without one is dropped")
  func addresses() throws {
    let list = try #require(
      try SegmentReading.media(
        "#EXTINF:1,\na b\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nC:\\x\n#EXTINF:1,\n\"\"\n"
          + "#EXTINF:1,\na\u{1}b\n#EXTINF:1,\nh\u{F6}?#x\n"
      ))
    #expect(list.segments.map(\.address) == ["a%20b", "h\u{F6}?#x"])
    #expect(list.segments.map(\.sequence) == [0, 4] && list.missingCount == 3)
    #expect(list.segments.map(\.isDiscontinuous) == [false, true])
  }

  @Test("A playlist of both kinds counts as segments if it has any")
  func both() throws {
    let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"
    #expect(try SegmentReading.media(variant + "#EXTINF:1,\na")?.segments.count == 1)
    #expect(try SegmentReading.master(variant + "#EXT-X-TARGETDURATION:6")?.variants.count == 1)
    #expect(try SegmentReading.master("#EXT-X-STREAM-INF:BANDWIDTH=1")?.variants.isEmpty == true)
    #expect(try SegmentReading.media("#EXT-X-STREAM-INF:\n#EXTINF:1,\na\nb")?.segments.map(\.address) == ["a"])
    #expect(try SegmentReading.media("#EXT-X-SESSION-DATA:A=1\n#EXT-X-TARGETDURATION:6")?.segments.isEmpty == true)
  }
}
