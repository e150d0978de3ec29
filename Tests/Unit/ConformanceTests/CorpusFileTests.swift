import DecoderBench
import Framing
import Listings
import Testing

@Suite("Decoded files", .corpora)
struct DecodedFileTests {
  static let files =
    [
      Corpora.files("mp3-conformance", "bit", "mp3"), Corpora.files("aac", "aac"), Corpora.files("mp3-extra", "mp3"),
      Corpora.files("media3", "mp3", "aac", "adts"), Corpora.files("tags", "mp3"),
    ].flatMap(\.self).filter { !leftOut.contains($0.name) }

  /// One file declares SSR, which libfaad does not support. The other has a gap, after which libmad would continue.
  static let leftOut: Set = ["bbb_1ch_8kHz_aac_lc.aac", "apev2-lyricsv2.mp3"]

  @Test func noneIsLeftOut() { #expect(Self.files.count == 107) }

  @Test(arguments: files)
  func everyFileSoundsAsWithTheLibraries(path: String) throws {
    let programme = Programme(try Corpora.bytes(path))
    let heard = decodePackets(programme.packets)
    #expect(heard.allSatisfy { $0.peak <= 8_388_608 && $0.samples.count <= 4096 })
    // libmad keeps the first bit rate of free format, although packets differ.
    guard !path.hasSuffix("l2-nonstandard-fl1_fl2_ff.bit") else { return }
    let reference = Reference(programme, .bits24)
    let places = Set(programme.packets.map(\.info.byteOffset))
    // Ignores the output of libmad and libfaad between packets and after a tag.
    let isAdts = ["aac", "adts"].contains(path.kind)
    let theirs = reference.frames.filter { places.contains($0.offset) || isAdts }.map(\.heard)
    #expect(theirs.count >= heard.count)
    #expect(zip(heard, theirs).enumerated().filter { $1.0 != $1.1 }.map(\.offset) == [])
  }
}

/// Durations of real files, found from the first packets and the last bytes (R11.2, old bug 1.16).
@Suite("Lengths of files", .corpora)
struct FileLengthTests {
  /// Seconds according to other decoders, without LAME's padding, and the tolerance, less than a packet.
  static let lengths: [(path: String, seconds: Double)] = [
    ("tags/antennapod-chapters/auphonic.mp3", 10.0),
    ("tags/antennapod-chapters/3sec.mp3", 3.0563),
    ("tags/antennapod-chapters/hindenburg-journalist-pro.mp3", 10.0310),
    ("tags/antennapod-chapters/mp3chaps-py.mp3", 12.1440),
    ("tags/antennapod-chapters/ffmpeg-txxx-comment.mp3", 5.9211),
    ("tags/mutagen/97-unknown-23-update.mp3", 3.7355),
    ("tags/mutagen/silence-44-s.mp3", 3.7355),
    ("tags/mutagen/silence-44-s-v1.mp3", 3.7355),
    ("tags/mutagen/silence-44-s-mpeg2.mp3", 3.6847),
    ("tags/mutagen/silence-44-s-mpeg25.mp3", 3.6848),
    ("media3/mp3/bear-cbr-constant-frame-size-no-seek-table.mp3", 2.7840),
    ("media3/mp3/bear-cbr-variable-frame-size-no-seek-table.mp3", 2.8212),
    ("media3/mp3/bear-vbr-xing-header.mp3", 2.7840),
    ("media3/mp3/bear-vbr-xing-header-no-toc.mp3", 2.7840),
    ("media3/mp3/sine-wave-cbr-trailing-id3v1.mp3", 1.0449),
    ("media3/mp3/test-cbr-info-header.mp3", 1.0),
    ("mp3-extra/gapless.mp3", 15.4848),
    ("mp3-extra/square3.mp3", 1.0),
  ]

  /// The map of a file from its first 8 KB and its last bytes.
  private func map(_ bytes: [UInt8]) throws -> FileMap {
    var meter = FileMeter()
    for packet in Programme(bytes, step: 1_460).packets.prefix(20) { _ = meter.process(packet.info, packet.bytes.span) }
    let tail = Array(bytes.suffix(TrailingTags.tailByteCount))
    return try #require(meter.map(total: bytes.count, tail: TrailingTags.byteCount(in: tail.span)))
  }

  @Test("Lengths are right to a packet", arguments: lengths)
  func lengthIsRight(path: String, seconds: Double) throws {
    let map = try map(try Corpora.bytes(path))
    let length = try #require(map.length)
    #expect(abs(length.seconds - seconds) < 0.037, "\(path): \(length.seconds) s, \(map.basis)")
  }

  @Test("Lengths equal the packets without LAME's padding, for a constant bit rate or with figures")
  func lengthIsTheSumOfPackets() throws {
    for path in Corpora.files("tags", "mp3") + Corpora.files("media3", "mp3") + Corpora.files("mp3-extra", "mp3") {
      let bytes = try Corpora.bytes(path)
      let packets = Programme(bytes, step: 1_460).packets
      guard packets.count > 20 else { continue }
      let map = try map(bytes)
      guard map.basis != .measured, let length = map.length else { continue }
      var meter = FileMeter()
      let sound = packets.filter { meter.process($0.info, $0.bytes.span) }
      let sum = sound.reduce(0.0) { $0 + $1.info.duration.seconds }
      let silence = map.isExact ? sum - length.seconds : map.lead.seconds
      #expect(abs(sum - silence - length.seconds) < max(0.06, sum / 100), "\(path): \(length.seconds) s of \(sum)")
    }
  }
}

@Suite("Lists in the wild", .corpora)
struct PlaylistFileTests {
  @Test("All lists are readable", arguments: Corpora.files("playlists").filter { !$0.kind.isEmpty })
  func all(_ path: String) throws {
    let bytes = try Corpora.bytes(path)
    for kind in PlaylistKind.allCases { _ = try? entries(bytes, kind) }
    guard let kind = PlaylistKind(rawValue: path.kind), !path.contains("mopidy/empty")
    else { return }
    #expect(try !entries(bytes, kind).isEmpty)
  }

  @Test(
    "Lists give their stations",
    arguments: [
      ("clementine/pls_one.pls", 1, ListEntry(reference: "filename%20with%20spaces.mp3", title: "Title", seconds: 123)),
      (
        "clementine/pls_somafm.pls", 4,
        ListEntry(
          reference: "http://streamer-dtc-aa05.somafm.com:80/stream/1018",
          title: "SomaFM: Groove Salad (#1 128k mp3): A nicely chilled plate of ambient beats and grooves.")
      ),
      ("clementine/test.asx", 1, ListEntry(reference: "http://example.com/foo.mp3", title: "Foo")),
      ("clementine/test.xspf", 1, ListEntry(reference: "http://example.com/foo.mp3", title: "Foo", seconds: 60)),
      (
        "iprd/us.m3u", 1_000,
        ListEntry(reference: "http://sarcheshmeh.icdndhcp.com:18452/stream", title: "Radio Sarcheshmeh")
      ),
      ("iprd/gb.m3u", 503, nil),
      ("iprd/jp.m3u", 35, nil),
      ("mopidy/comment-ext.m3u", 1, ListEntry(reference: "song1.mp3", title: "Song #1")),
      ("mopidy/encoding-ext.m3u", 1, ListEntry(reference: "æøå.mp3", title: "æøå")),
      ("mopidy/two-ext.m3u", 2, ListEntry(reference: "song1.mp3", title: "Song #1")),
      (
        "icecast-metadata-js-vintage/Dublab MP3 128.m3u", 1,
        ListEntry(reference: "http://dublab.out.airtime.pro/dublab_b")
      ),
    ] as [(String, Int, ListEntry?)])
  func known(_ path: String, _ count: Int, _ first: ListEntry?) throws {
    let kind = try #require(PlaylistKind(rawValue: path.kind))
    let list = try entries(Corpora.bytes("playlists/" + path), kind)
    #expect(list.count == count)
    if let first { #expect(list.first == first) }
  }

  @Test("Lists may be empty", arguments: ["mopidy/empty.m3u", "mopidy/empty-ext.m3u"])
  func empty(_ path: String) throws {
    let bytes = try Corpora.bytes("playlists/" + path)
    #expect(throws: ListingError.empty) { try entries(bytes, .m3u) }
  }

  private func entries(_ bytes: [UInt8], _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
    try PlaylistParser.entries(of: bytes.span, kind: kind)
  }
}
