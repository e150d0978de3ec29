@testable import Listings
import Testing
import Units

/// The media playlists in the tests of globocom's m3u8, read by RFC 8216.
@Suite("HLS media playlists of others")
struct SegmentVectorTests {
  /// The target duration in seconds.
  enum Target: Equatable {
    case told(Double), clamped(Double), estimated(Double)
  }

  /// The facts of a media playlist.
  struct Row: Sendable, CustomStringConvertible {
    let name: String
    let count: Int
    let sequence: UInt64
    let target: Target
    let isEnded: Bool
    /// The sum of the durations; each duration is at most 3,600 s.
    let seconds: Double
    let first: String?
    let last: String?
    let traits: String

    init(
      _ name: String, _ count: Int, _ sequence: UInt64, _ target: Target, ended: Bool = false, _ seconds: Double,
      _ first: String? = nil, _ last: String? = nil, _ traits: String = ""
    ) {
      (self.name, self.count, self.sequence, self.target) = (name, count, sequence, target)
      (isEnded, self.seconds, self.first, self.last, self.traits) = (ended, seconds, first, last ?? first, traits)
    }

    var description: String { name }
  }

  private static let entire = "http://media.example.com/entire"
  private static let part = "http://media.example.com/fileSequence52-"
  private static let stream = "../../../../hls/streamNum8240"
  private static let live = "http://str00.iptv.domain/7331/mpegts?token=longtokenhere"
  private static let sequence = "1432451707508/ts/71737/sequence1434743"
  private static let token = ".ts?hdntl=exp=1596678764~acl=/*~data=hdntl~hmac=12345&"

  static let rows: [Row] =
    simple + encrypted + [
      Row(
        "SLIDING_WINDOW_PLAYLIST", 3, 2680, .told(8), 24, "https://priv.example.com/fileSequence2680.ts",
        "https://priv.example.com/fileSequence2682.ts"),
      Row("IFRAME_PLAYLIST", 3, 0, .told(10), ended: true, 11.5, "segment1.ts", "segment2.ts", "v4 vod ranges 3"),
      Row("IFRAME_PLAYLIST2", 3, 0, .told(10), ended: true, 11.5, "segment1.ts", "segment2.ts", "v4 vod ranges 3"),
      Row("PLAYLIST_USING_BYTERANGES", 3, 0, .told(11), ended: true, 30, "segment.ts", nil, "v4 ranges 3"),
      Row("SIMPLE_PLAYLIST_WITH_PROGRAM_DATE_TIME", 8, 50116, .told(3), 24, "g_50116.ts", "g_50123.ts", "dates 8"),
      Row(
        "DISCONTINUITY_PLAYLIST_WITH_PROGRAM_DATE_TIME", 8, 50116, .told(3), 24, "g_50116.ts", "g_50123.ts",
        "breaks 1 dates 8"),
      Row(
        "PLAYLIST_WITH_PROGRAM_DATE_TIME_WITHOUT_DISCONTINUITY", 3, 50, .told(6), ended: true, 18,
        "manifest_1_50.ts?m=1559946393", "manifest_1_52.ts?m=1559946393", "v3 event dates 3"),
      Row("CUE_OUT_PLAYLIST", 4, 143_474_331, .told(10), 40, sequence + "38.ts", sequence + "41.ts", "v3 dates 4"),
      Row(
        "CUE_OUT_ELEMENTAL_PLAYLIST", 11, 47224, .told(10), 87.96, "master2500_47224.ts", "master2500_47234.ts",
        "v3"),
      Row(
        "OATCLS_ELEMENTAL_PLAYLIST", 5, 266_918, .told(8), 24.024, "playlist_192k_266918.ts",
        "playlist_192k_266922.ts", "v3"),
      Row(
        "CUE_OUT_CONT_ALT_PLAYLIST", 4, 19_980_226, .told(7), 20.002, "segment_19980226.ts", "segment_19980229.ts",
        "v3 disc 1"),
      Row(
        "CUE_OUT_MEDIACONVERT_PLAYLIST", 6, 1, .told(11), ended: true, 50, "segment_00001.ts", "segment_00006.ts",
        "v3 vod"),
      Row(
        "CUE_OUT_ENVIVIO_PLAYLIST", 8, 399_703, .told(11), 75.12, "20160914T080055-master804-199/1703.ts",
        "20160914T080055-master804-199/1710.ts", "v3"),
      Row("CUE_OUT_INVALID_PLAYLIST", 2, 0, .told(6), 11.52, "0.aac", "1.aac"),
      Row("CUE_OUT_NO_DURATION_PLAYLIST", 3, 0, .told(6), 17.28, "0.aac", "2.aac"),
      Row("CUE_OUT_WITH_DURATION_PLAYLIST", 3, 0, .told(6), 17.28, "0.aac", "2.aac"),
      Row("CUE_OUT_WITH_EXPLICIT_DURATION_PLAYLIST", 3, 0, .told(6), 17.28, "0.aac", "2.aac"),
      Row("CUE_OUT_WITH_DURATION_KEY_PLAYLIST", 3, 0, .told(6), 17.28, "0.aac", "2.aac"),
      Row("MAP_URI_PLAYLIST", 0, 1, .told(2), 0, nil, nil, "v7 vod"),
      Row(
        "MAP_URI_PLAYLIST_WITH_BYTERANGE", 2, 1, .told(2), 2, "segment_link1.mp4", "segment_link2.mp4",
        "v7 vod maps 2"),
      Row("MULTIPLE_MAP_URI_PLAYLIST", 3, 1, .told(6), 15, "segment1.mp4", "segment3.mp4", "v7 vod keys 3 maps 3"),
      // A live entry of an M3U list; -1 is not a length.
      Row("IPTV_PLAYLIST_WITH_CUSTOM_TAGS", 1, 0, .estimated(1), 0, live, nil, "titles 1"),
      Row("IPTV_PLAYLIST_WITH_EARLY_EXTINF", 1, 0, .estimated(1), 0, live, nil, "titles 1"),
      // Parts and hints are skipped.
      Row(
        "LOW_LATENCY_PART_PLAYLIST", 9, 264, .told(4), 36.00072, "fileSequence264.mp4", "fileSequence272.mp4",
        "v6 maps 9 dates 9"),
      // The three skipped segments also count.
      Row(
        "LOW_LATENCY_DELTA_UPDATE_PLAYLIST", 4, 266, .told(4), 16.00032, "fileSequence269.ts", "fileSequence272.ts",
        "v9 dates 4"),
      Row(
        "LOW_LATENCY_OMITTED_ATTRIBUTES", 10, 6342, .told(2), 20, "chunk_6342.m4s", "chunk_6350.m4s",
        "v7 maps 10 dates 10"),
      Row("LOW_LATENCY_WITH_PRELOAD_AND_BYTERANGES_PLAYLIST", 1, 0, .estimated(5), 4.08, "fs270.mp4"),
      Row("VERSION_PLAYLIST", 0, 0, .estimated(10), 0, nil, nil, "v4"),
      Row("DATERANGE_SIMPLE_PLAYLIST", 2, 0, .estimated(10), 20, "ad3.1.ts", "ad3.2.ts", "dates 2"),
      Row("DATERANGE_SCTE35_OUT_AND_IN_PLAYLIST", 7, 0, .estimated(10), 70, "ad3.1.ts", "prog.1.ts", "dates 7"),
      Row("DATERANGE_ENDDATE_SCTECMD_PLAYLIST", 1, 0, .estimated(10), 10, "prog.1.ts", nil, "dates 1"),
      Row("DATERANGE_IN_PART_PLAYLIST", 0, 0, .estimated(10), 0),
      Row("GAP_PLAYLIST", 4, 14, .told(10), 37.57921, "fileSequence14.ts", "fileSequence17.ts", "v7 gaps 2"),
      Row("GAP_IN_PARTS_PLAYLIST", 0, 0, .estimated(10), 0),
      // The last EXTINF has no address.
      Row(
        "PLAYLIST_WITH_SLASH_IN_QUERY_STRING", 3, 10599, .told(5), 15,
        "testvideo-1596635509-4769390994-a0e3087c" + token, "testvideo-1596635519-4770290994-a0e5087d" + token,
        "v3 dates 3"),
      Row("DELTA_UPDATE_SKIP_DATERANGES_PLAYLIST", 6, 1, .told(6), 24, "segment16.mp4", "segment21.mp4", "v10 maps 6"),
      Row("BITRATE_PLAYLIST", 2, 55119, .told(10), 19.2, "test1.ts", "test2.ts", "v3 dates 2"),
      Row(
        "VOD_IMAGE_PLAYLIST", 14, 0, .told(6), ended: true, 504.504, "preroll-ad-1.jpg", "content-7.jpg",
        "v7 vod breaks 3"),
      Row(
        "VOD_IMAGE_PLAYLIST2", 9, 0, .told(6), ended: true, 141.141, "promo_1.jpg", "credits_2_1.jpg",
        "v7 vod breaks 2"),
      Row(
        "LIVE_IMAGE_PLAYLIST", 10, 127_228, .told(6), 57.057, "content-123.jpg", "content-131.jpg",
        "v7 disc 5 breaks 2 gaps 3 dates 10"),
    ]

  /// One or two segments of 5,220 s.
  private static let simple = [
    Row("SIMPLE_PLAYLIST", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts"),
    Row(
      "SIMPLE_PLAYLIST_WITH_ZERO_DURATION", 2, 0, .clamped(3600), ended: true, 3600, entire + "1.ts", entire + "2.ts"),
    Row(
      "SIMPLE_PLAYLIST_WITH_VERY_SHORT_DURATION", 3, 0, .clamped(3600), ended: true, 7200.000011, entire + "1.ts",
      entire + "3.ts"),
    Row(
      "SIMPLE_PLAYLIST_WITH_START_NEGATIVE_OFFSET", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts", nil,
      "start -2.0"),
    Row(
      "SIMPLE_PLAYLIST_WITH_START_PRECISE", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts", nil,
      "start 10.5 precise"),
    Row("PLAYLIST_WITH_NON_INTEGER_DURATION", 1, 0, .clamped(3600), 3600, entire + ".ts"),
    Row("SIMPLE_PLAYLIST_WITH_QUOTED_TITLE", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts", nil, "titles 1"),
    Row(
      "SIMPLE_PLAYLIST_WITH_UNQUOTED_TITLE", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts", nil,
      "titles 1"),
    Row("SIMPLE_PLAYLIST_WITH_VOD_PLAYLIST_TYPE", 1, 0, .estimated(180), ended: true, 180, "some_video.ts", nil, "vod"),
    Row("SIMPLE_PLAYLIST_WITH_INDEPENDENT_SEGMENTS", 1, 0, .estimated(180), ended: true, 180, "some_video.ts"),
    Row(
      "SIMPLE_PLAYLIST_WITH_EVENT_PLAYLIST_TYPE", 1, 0, .estimated(180), ended: true, 180, "some_video.ts", nil,
      "event"),
    // "JUNK" has no EXTINF, so it is not a segment.
    Row("SIMPLE_PLAYLIST_MESSY", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts"),
    Row("SIMPLE_PLAYLIST_TITLE_COMMA", 1, 0, .estimated(3600), ended: true, 3600, entire + ".ts", nil, "titles 1"),
    Row("SIMPLE_PLAYLIST_COMMALESS_EXTINF", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts"),
    Row(
      "SIMPLE_PLAYLIST_WITH_DISCONTINUITY_SEQUENCE", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts", nil,
      "disc 123"),
    Row("SIMPLE_PLAYLIST_WITH_CUSTOM_TAGS", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts"),
    Row("PLAYLIST_WITH_NEGATIVE_MEDIA_SEQUENCE", 1, 0, .clamped(3600), ended: true, 3600, entire + ".ts"),
  ]

  private static let encrypted = [
    Row("PLAYLIST_WITH_ENCRYPTED_SEGMENTS", 3, 7794, .told(15), 45, part + "1.ts", part + "3.ts", "keys 3"),
    // An unreadable IV.
    Row(
      "PLAYLIST_WITH_TAG_MEDIA_READY", 2, 1, .told(6), 12.28,
      "https://cdn.example.com/vod/hash:\u{58}XX/file.mp4/media-1.ts",
      "https://cdn.example.com/vod/hash:\u{58}XX/file.mp4/media-2.ts", "v3 keys 2"),
    // A session key belongs to a master playlist, and encrypts no segment here.
    Row("PLAYLIST_WITH_SESSION_ENCRYPTED_SEGMENTS", 3, 7794, .told(15), 45, part + "1.ts", part + "3.ts"),
    vectors("PLAYLIST_WITH_ENCRYPTED_SEGMENTS_AND_IV", 6, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_SESSION_ENCRYPTED_SEGMENTS_AND_IV", 6, "v2"),
    vectors("PLAYLIST_WITH_ENCRYPTED_SEGMENTS_AND_IV_SORTED", 6, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_SESSION_ENCRYPTED_SEGMENTS_AND_IV_SORTED", 6, "v2"),
    vectors("PLAYLIST_WITH_ENCRYPTED_SEGMENTS_AND_IV_WITH_MULTIPLE_KEYS", 6, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_ENCRYPTED_SEGMENTS_AND_IV_WITH_MULTIPLE_KEYS_SORTED", 6, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_MULTIPLE_KEYS_UNENCRYPTED_AND_ENCRYPTED", 8, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_MULTIPLE_KEYS_UNENCRYPTED_AND_ENCRYPTED_UPDATED", 8, "v2 keys 8 ivs 8"),
    vectors("PLAYLIST_WITH_MULTIPLE_KEYS_UNENCRYPTED_AND_ENCRYPTED_NONE", 10, "v2 keys 6 ivs 6"),
    vectors("PLAYLIST_WITH_MULTIPLE_KEYS_UNENCRYPTED_AND_ENCRYPTED_NONE_AND_NO_URI_ATTR", 10, "v2 keys 6 ivs 6"),
    Row("PLAYLIST_WITH_KEYFORMAT_AND_KEYFORMATVERSIONS", 1, 0, .told(8), 8, "segment.ts", nil, "v5 keys 1 drm 1"),
  ]

  private static func vectors(_ name: String, _ count: Int, _ traits: String) -> Row {
    Row(name, count, 82400, .told(8), Double(8 * count), stream + "0.ts", stream + "5.ts", traits)
  }

  @Test(
    "Each foreign media playlist gives RFC 8216's result",
    .enabled(if: !SegmentReading.globocom.isEmpty, "no corpora here"),
    arguments: rows)
  func media(_ row: Row) throws {
    let text = try #require(SegmentReading.globocom[row.name])
    guard case .media(let list) = try SegmentReading.playlist(text) else {
      Issue.record("this is no media playlist")
      return
    }
    Self.check(list, row)
  }

  static func check(_ list: SegmentList, _ row: Row) {
    #expect(list.segments.count == row.count)
    #expect(list.sequence == row.sequence)
    #expect(list.segments.map(\.sequence) == (0..<UInt64(row.count)).map { row.sequence + $0 })
    let target = list.targetDuration.seconds
    switch list.targetOrigin {
    case .told: #expect(Target.told(target) == row.target)
    case .clamped: #expect(Target.clamped(target) == row.target)
    case .estimated: #expect(Target.estimated(target) == row.target)
    }
    #expect(list.isEnded == row.isEnded)
    #expect(abs(list.segments.map(\.duration.seconds).reduce(0, +) - row.seconds) < 1e-6)
    #expect(list.segments.first?.address == row.first)
    #expect(list.segments.last?.address == row.last)
    #expect(list.traits == row.traits)
  }
}
