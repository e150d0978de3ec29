import Blocks
import DecoderBench
import Framing
import Testing

@Suite("Framed files", .corpora)
struct FramedFileTests {
  /// The packet lengths of a file, followed from header to header, and the end of the last packet.
  private func walk(_ bytes: [UInt8], from start: Int = 0) -> (lengths: [Int], end: Int) {
    var place = start
    var lengths: [Int] = []
    while let length = MpegHeader(bytes.span, at: place)?.byteCount ?? AdtsHeader(bytes.span, at: place)?.byteCount,
      place + length <= bytes.count
    {
      lengths.append(length)
      place += length
    }
    return (lengths, place)
  }

  /// Files with free format, a leading tag, garbage around the packets, or an unconfirmed packet.
  static let unwalkable: Set = [
    "l2-nonstandard-fl1_fl2_ff.bit", "l2-nonstandard-free_format.bit", "mpeg2.mp3", "l3-sin1k0db.bit",
    "ILL2_overalloc2.bit",
  ]

  @Test(arguments: Corpora.files("mp3-conformance", "bit", "mp3").filter { !unwalkable.contains($0.name) })
  func conformanceVectorsAreFramedWhole(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let (lengths, end) = walk(bytes)
    // One file ends in a truncated frame, one in a single byte.
    #expect(end == bytes.count || ["l3-compl.bit", "MEANDR90.mp3"].contains(path.name))
    let framed = Programme(bytes, step: 1000)
    #expect(framed.packets.map(\.info.byteCount) == lengths)
    #expect(framed.skipped == bytes.count - end)
    #expect(framed.packets.allSatisfy { !$0.info.followsGap })
  }

  @Test func freeFormatVectorsAreFramedWhole() throws {
    let plain = Programme(try Corpora.bytes("mp3-conformance/vectors/l2-nonstandard-free_format.bit"))
    #expect(plain.skipped == 0)
    #expect(plain.packets.count == 49)
    #expect(plain.packets.allSatisfy { $0.info.isFreeFormat && $0.info.byteCount == 864 })
  }

  @Test(arguments: Corpora.files("aac", "aac").filter { $0.name != "id3v1.aac" })
  func adtsFilesAreFramedWhole(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let framed = Programme(bytes, step: 999)
    #expect(framed.packets.first?.info.followsGap == false)
    #expect(framed.packets.allSatisfy { $0.info.format.codec == .aac })
    #expect(framed.skipped == 0)
    #expect(framed.tagged + framed.packets.reduce(0) { $0 + $1.info.byteCount } == bytes.count)
  }

  // One file has a gap in the middle.
  @Test(
    arguments: (Corpora.files("tags", "mp3") + Corpora.files("mp3-extra", "mp3"))
      .filter { $0.name != "apev2-lyricsv2.mp3" })
  func taggedFilesLoseNothingBetweenFirstAndLastPacket(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let framed = Programme(bytes, step: 1460)
    let sum = framed.packets.reduce(0) { $0 + $1.info.byteCount }
    #expect(framed.skipped + framed.tagged + sum == bytes.count)
    #expect(framed.packets.dropFirst().allSatisfy { !$0.info.followsGap })
  }

  @Test(arguments: ["128aac/music-128k.aac", "vbr/isics-all.mp3"])
  func recordedStreamsAreFramed(file: String) throws {
    let bytes = try Corpora.bytes("icy/icecast-metadata-js/record/" + file)
    let framed = Programme(bytes, step: 1460)
    #expect(framed.packets.dropFirst().allSatisfy { !$0.info.followsGap })
    #expect(framed.skipped < 1500)
  }

  private func sniff(_ path: String, type: String? = nil) throws -> ContentKind? {
    let bytes = try Corpora.bytes(path)
    let head = bytes.prefix(4096)
    return ContentSniffer.sniff(head.span, isWhole: bytes.count <= 4096, contentType: type, path: "/" + path)
  }

  private static let kinds: [String: ContentKind] = [
    "m3u": .playlist(.m3u), "pls": .playlist(.pls), "xspf": .playlist(.xspf), "asx": .playlist(.asx),
    "m3u8": .hls, "m4s": .refused(.m4a), "mp4": .refused(.m4a), "m4a": .refused(.m4a), "mp3": .audio,
    "aac": .audio, "adts": .audio, "flac": .container(.flac), "ogg": .container(.ogg), "opus": .container(.ogg),
    "ts": .container(.transport), "bit": .audio,
  ]

  @Test(arguments: ["playlists", "hls", "aac", "mp3-extra", "media3", "mp3-conformance", "tags", "icy"])
  func everythingIsSniffedAsWhatItIs(folder: String) throws {
    for path in Corpora.files(folder) {
      guard let kind = Self.kinds[path.kind] else { continue }
      let bytes = try Corpora.bytes(path)
      // FLAC after a long tag looks like audio.
      let expected = bytes.isEmpty ? .empty : path.name == "bear_with_id3.flac" ? .audio : kind
      #expect(try sniff(path) == expected, "\(path)")
    }
  }

  @Test func bytesWinOverNames() throws {
    #expect(try sniff("hls/media3/m3u8/media_playlist", type: "audio/x-mpegurl") == .hls)
    #expect(try sniff("icy/icecast-metadata-js/stats/7.html", type: "audio/mpeg") == .refused(.html))
    #expect(try sniff("icy/icecast-metadata-js/stats/icy", type: "text/html") == .audio)
    #expect(try sniff("icy/icecast-metadata-js/stats/ogg", type: "audio/mpeg") == .container(.ogg))
    #expect(try sniff("icy/icecast-metadata-js/record/vbr/isics-all.mp3.raw", type: "audio/mpeg") == .audio)
  }
}
