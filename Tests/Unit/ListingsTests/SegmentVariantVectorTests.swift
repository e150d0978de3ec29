import Foundation
@testable import Listings
import Testing
import Units

/// The master playlists in the tests of globocom's m3u8, read by RFC 8216, further texts that are not playlists, and
/// the playlists of media3.
@Suite("HLS master playlists of others")
struct SegmentVariantVectorTests {
  /// The facts of a master playlist.
  struct Row: Sendable, CustomStringConvertible {
    let name: String
    let variants: Int
    let renditions: Int
    let first: String?
    let last: String?
    /// The variants in order of play: a letter for the kind (audio, rendition, video) before the address.
    let candidates: [String]

    init(_ name: String, _ variants: Int, _ renditions: Int, _ first: String?, _ last: String?, _ candidates: [String])
    {
      (self.name, self.variants, self.renditions) = (name, variants, renditions)
      (self.first, self.last, self.candidates) = (first, last, candidates)
    }

    var description: String { name }
  }

  private static let site = "http://example.com/"
  private static let backup = "https://backup.example.com/content/videos/video12/"
  /// 1.28, 2.56 and 7.68 Mbit/s without codecs, and 65 kbit/s with a picture.
  private static let four = ["audio-only", "low", "mid", "hi"].map { "v \(site)\($0).m3u8" }
  private static let iFrames = ["a video-64k.m3u8"] + [150, 400, 800, 1200].map { "v video-\($0)k.m3u8" }
  private static let copyProtected = ["none", "type0", "type1"].map { "a \(site)\($0).m3u8" }
  private static let chunks = "chunklist_w370587926_b"

  static let rows = [
    four("VARIANT_PLAYLIST"), four("VARIANT_PLAYLIST_WITH_AVERAGE_BANDWIDTH"),
    four("VARIANT_PLAYLIST_WITH_BANDWIDTH_FLOAT"), four("VARIANT_PLAYLIST_WITH_FRAME_RATE"),
    Row(
      "VARIANT_PLAYLIST_WITH_CC_SUBS_AND_AUDIO", 2, 0, site + "with-cc-hi.m3u8", site + "with-cc-low.m3u8",
      ["a \(site)with-cc-low.m3u8", "v \(site)with-cc-hi.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_NONE_CC_AND_AUDIO", 2, 0, site + "with-cc-hi.m3u8", site + "with-cc-low.m3u8",
      ["a \(site)with-cc-low.m3u8", "v \(site)with-cc-hi.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_VIDEO_CC_SUBS_AND_AUDIO", 2, 0, site + "with-everything-hi.m3u8",
      site + "with-everything-low.m3u8", ["v \(site)with-everything-low.m3u8", "v \(site)with-everything-hi.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_VIDEO_RANGE", 2, 0, site + "sdr.m3u8", site + "hdr.m3u8",
      ["v \(site)sdr.m3u8", "v \(site)hdr.m3u8"]),
    Row("VARIANT_PLAYLIST_WITH_HDCP_LEVEL", 3, 0, site + "none.m3u8", site + "type1.m3u8", copyProtected),
    // Playlists of I frames are not variants.
    Row("VARIANT_PLAYLIST_WITH_IFRAME_PLAYLISTS", 5, 0, "video-800k.m3u8", "video-64k.m3u8", iFrames),
    Row("VARIANT_PLAYLIST_WITH_ALT_IFRAME_PLAYLISTS_LAYOUT", 5, 0, "video-800k.m3u8", "video-64k.m3u8", iFrames),
    Row("VARIANT_PLAYLIST_WITH_IFRAME_AVERAGE_BANDWIDTH", 5, 0, "video-800k.m3u8", "video-64k.m3u8", iFrames),
    Row(
      "VARIANT_PLAYLIST_WITH_IFRAME_VIDEO_RANGE", 3, 0, site + "sdr.m3u8", site + "hdr-hlg.m3u8",
      ["v \(site)sdr.m3u8", "v \(site)hdr-pq.m3u8", "v \(site)hdr-hlg.m3u8"]),
    Row("VARIANT_PLAYLIST_WITH_IFRAME_HDCP_LEVEL", 3, 0, site + "none.m3u8", site + "type1.m3u8", copyProtected),
    Row(
      "VARIANT_PLAYLIST_WITH_REQ_VIDEO_LAYOUT", 1, 0, site + "with-everything-hi.m3u8",
      site + "with-everything-hi.m3u8", ["v \(site)with-everything-hi.m3u8"]),
    Row(
      "SIMPLE_PLAYLIST_WITH_RESOLUTION", 2, 0, "index_0_av.m3u8?e=b471643725c47acd",
      "index_0_a.m3u8?e=b471643725c47acd",
      ["a index_0_a.m3u8?e=b471643725c47acd", "v index_0_av.m3u8?e=b471643725c47acd"]),
    // Subtitles and captions are not audio renditions; the variants have only video.
    Row(
      "MULTI_MEDIA_PLAYLIST", 3, 3, "1280/\(chunks)2962000_vo_slen_t64TWFpbg==.m3u8",
      "448/\(chunks)688000_vo_slen_t64TWFpbg==.m3u8",
      [
        "r en/\(chunks)160000_ao_slen_t64RW5nbGlzaA==.m3u8", "r sp/\(chunks)160000_ao_slsp_t64U3BhbmlzaA==.m3u8",
        "r com/\(chunks)160000_ao_slen_t64Q29tbWVudGFyeSAoZW5nKQ==.m3u8",
      ]),
    Row(
      "MEDIA_WITHOUT_URI_PLAYLIST", 1, 1, "ch001-audio_312640_eng=312000.m3u8", "ch001-audio_312640_eng=312000.m3u8",
      ["a ch001-audio_312640_eng=312000.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_ROUNDABLE_FRAME_RATE", 1, 0, site + "audio-only.m3u8", site + "audio-only.m3u8",
      ["v \(site)audio-only.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_ROUNDED_FRAME_RATE", 1, 0, site + "audio-only.m3u8", site + "audio-only.m3u8",
      ["v \(site)audio-only.m3u8"]),
    Row("SESSION_DATA_PLAYLIST", 0, 0, nil, nil, []), Row("MULTIPLE_SESSION_DATA_PLAYLIST", 0, 0, nil, nil, []),
    Row(
      "CONTENT_STEERING_PLAYLIST", 4, 2, "low/video.m3u8", backup + "hi/video.m3u8",
      [
        "r eng.m3u8", "r https://b.example.com/content/videos/video12/eng.m3u8", "v low/video.m3u8",
        "v \(backup)low/video.m3u8", "v hi/video.m3u8", "v \(backup)hi/video.m3u8",
      ]),
    // Without "#EXTM3U", but with a variant.
    Row(
      "VARIANT_PLAYLIST_WITH_STABLE_VARIANT_ID", 1, 0, site + "type0.m3u8", site + "type0.m3u8",
      ["v \(site)type0.m3u8"]),
    Row(
      "VARIANT_PLAYLIST_WITH_IMAGE_PLAYLISTS", 5, 0, "index_0_av/new_index_0_av.m3u8", "index_0_a/new_index_0_a.m3u8S",
      ["a index_0_a/new_index_0_a.m3u8S"] + (0...3).map { "v index_\($0)_av/new_index_\($0)_av.m3u8" }),
  ]

  private static func four(_ name: String) -> Row {
    Row(name, 4, 0, site + "low.m3u8", site + "audio-only.m3u8", four)
  }

  /// Texts without "#EXTM3U" in the first line, and without a segment or a variant.
  static let refused = [
    "WINDOWS_PLAYLIST", "VARIANT_PLAYLIST_WITH_IFRAME_STABLE_VARIANT_ID", "VARIANT_PLAYLIST_WITH_STABLE_RENDITION_ID",
  ]

  private static let isHere = !SegmentReading.globocom.isEmpty

  @Test(
    "Each foreign master playlist gives RFC 8216's result", .enabled(if: isHere, "no corpora here"), arguments: rows)
  func master(_ row: Row) throws {
    let text = try #require(SegmentReading.globocom[row.name])
    guard case .master(let list) = try SegmentReading.playlist(text) else {
      Issue.record("this is no master playlist")
      return
    }
    #expect(list.variants.count == row.variants && list.renditions.count == row.renditions)
    #expect(list.variants.first?.address == row.first && list.variants.last?.address == row.last)
    #expect(Self.shown(list.choice()) == row.candidates)
    #expect(list.choice().refusal == nil)
  }

  static func shown(_ choice: VariantChoice) -> [String] {
    choice.candidates.map { candidate in
      switch candidate.form {
      case .audio: "a " + candidate.address
      case .rendition: "r " + candidate.address
      case .video: "v " + candidate.address
      }
    }
  }

  @Test(
    "An empty text without a playlist's start is refused", .enabled(if: isHere, "no corpora here"),
    arguments: refused)
  func none(_ name: String) throws {
    let text = try #require(SegmentReading.globocom[name])
    #expect(throws: HlsPlaylistError.notPlaylist) { try SegmentReading.playlist(text) }
  }

  @Test("Each of the 99 is in one table", .enabled(if: isHere, "no corpora here"))
  func all() {
    let names = SegmentVectorTests.rows.map(\.name) + Self.rows.map(\.name) + Self.refused
    #expect(names.count == 99)
    #expect(Set(names) == Set(SegmentReading.globocom.keys))
  }

  @Test(
    "The pieces do not matter", .enabled(if: isHere, "no corpora here"), arguments: [1, 7, 64])
  func pieces(_ size: Int) {
    for text in SegmentReading.globocom.values {
      let bytes = Array(text.utf8)
      let whole = Result { () throws(HlsPlaylistError) in try SegmentReading.playlist(bytes) }
      #expect(Result { () throws(HlsPlaylistError) in try SegmentReading.playlist(bytes, piece: size) } == whole)
      let other = Array(text.replacingOccurrences(of: "\n", with: "\r\n \t").utf8)
      #expect(Result { () throws(HlsPlaylistError) in try SegmentReading.playlist(other, piece: size) } == whole)
    }
  }

  // MARK: Files

  static let files = [
    SegmentVectorTests.Row(
      "globocom-m3u8/simple-playlist.m3u8", 1, 0, .clamped(3600), ended: true, 3600,
      "http://media.example.com/entire.ts"),
    SegmentVectorTests.Row(
      "globocom-m3u8/relative-playlist.m3u8", 6, 0, .clamped(3600), ended: true, 21_600, "/entire1.ts",
      ".//entire6.ts", "keys 6 ivs 6"),
    SegmentVectorTests.Row(
      "media3/m3u8/media_playlist", 6, 2, .estimated(4), ended: true, 24, "2.mp4", "7.mp4", "maps 6"),
    SegmentVectorTests.Row("media3/m3u8/media_playlist_empty", 0, 2, .estimated(10), 0),
    SegmentVectorTests.Row(
      "media3/m3u8/media_playlist_independent_segments", 6, 2, .estimated(4), ended: true, 24, "2.mp4", "7.mp4",
      "maps 6"),
    SegmentVectorTests.Row("media3/m3u8/media_playlist_live_empty", 0, 2, .estimated(10), 0),
    SegmentVectorTests.Row("media3/m3u8/media_playlist_vod_empty", 0, 2, .estimated(10), ended: true, 0),
    SegmentVectorTests.Row(
      "media3/cmaf/multi-segment/stream_1.m3u8", 12, 0, .told(1), ended: true, 3, "video_1.m4s", "video_12.m4s",
      "v6 vod maps 12"),
    SegmentVectorTests.Row(
      "media3/cmaf/multi-segment/stream_0.m3u8", 12, 0, .told(1), ended: true, 2.999999, "audio_1.m4s",
      "audio_12.m4s", "v6 vod maps 12"),
    SegmentVectorTests.Row(
      "media3/hls/multi-segment/playlist.m3u8", 2, 0, .told(1), ended: true, 1.05, "playlist0.m4s", "playlist1.m4s",
      "v7 maps 2"),
    SegmentVectorTests.Row(
      "media3/hls/interstitials/interstitials_vod_asset_uri.m3u8", 12, 0, .told(6), ended: true, 72,
      "https://example.com/fileSequence0.ts", "https://example.com/fileSequence11.ts", "v3 vod dates 12"),
  ]

  @Test("Foreign files are read", .enabled(if: isHere, "no corpora here"), arguments: files)
  func file(_ row: SegmentVectorTests.Row) throws {
    let bytes = try #require(SegmentReading.file(row.name))
    guard case .media(let list) = try SegmentReading.playlist(bytes) else {
      Issue.record("this is no media playlist")
      return
    }
    SegmentVectorTests.check(list, row)
  }

  @Test(
    "media3's master playlists are read", .enabled(if: isHere, "no corpora here"),
    arguments: [
      Row(
        "m3u8/multivariant_with_content_steering", 4, 0, "/cdn-a/720p.m3u8", "/cdn-b/360p.m3u8",
        [
          "v /cdn-a/360p.m3u8", "v /cdn-b/360p.m3u8", "v /cdn-a/720p.m3u8", "v /cdn-b/720p.m3u8",
        ]),
      Row(
        "m3u8/multivariant_with_redundant_variants_and_renditions", 4, 2, "/media/high.m3u8", "/media-b/low.m3u8",
        [
          "r /media/audio.m3u8", "r /media-b/audio.m3u8", "v /media/low.m3u8", "v /media-b/low.m3u8",
          "v /media/high.m3u8",
          "v /media-b/high.m3u8",
        ]),
      Row(
        "cmaf/multi-segment/playlist.m3u8", 1, 1, "stream_1.m3u8", "stream_1.m3u8",
        [
          "r stream_0.m3u8", "v stream_1.m3u8",
        ]),
    ])
  func masterFile(_ row: Row) throws {
    let bytes = try #require(SegmentReading.file("media3/" + row.name))
    guard case .master(let list) = try SegmentReading.playlist(bytes) else {
      Issue.record("this is no master playlist")
      return
    }
    #expect(list.variants.count == row.variants && list.renditions.count == row.renditions)
    #expect(list.variants.first?.address == row.first && list.variants.last?.address == row.last)
    #expect(Self.shown(list.choice()) == row.candidates)
  }
}
