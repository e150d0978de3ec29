import Blocks
import Foundation
import Framing
import Testing

/// Real data of others. Where it is absent these tests are skipped, and the run says so.
@Suite(.enabled(if: Corpora.isPresent, "the corpora are not beside the repository"))
struct CorpusTests {
  /// The lengths of a file's packets, going from header to header, and where that ends.
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

  @Test(arguments: Corpora.files("mp3-conformance").filter { $0.hasSuffix(".bit") || $0.hasSuffix(".mp3") })
  func conformanceVectorsAreFramedWhole(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let (lengths, end) = walk(bytes)
    // Whole files; one ends in a torn frame, one in a single byte.
    guard end == bytes.count || path.hasSuffix("l3-compl.bit") || path.hasSuffix("MEANDR90.mp3") else { return }
    let framed = Framed(bytes, step: 1000)
    #expect(framed.packets.map(\.info.byteCount) == lengths)
    #expect(framed.skipped == bytes.count - end)
    #expect(framed.packets.allSatisfy { !$0.info.followsGap })
  }

  @Test func freeFormatVectors() throws {
    let plain = Framed(try Corpora.bytes("mp3-conformance/vectors/l2-nonstandard-free_format.bit"))
    #expect(plain.skipped == 0)
    #expect(plain.packets.count == 49)
    #expect(plain.packets.allSatisfy { $0.info.isFreeFormat && $0.info.byteCount == 864 })
  }

  @Test(arguments: Corpora.files("aac").filter { $0.hasSuffix(".aac") && !$0.hasSuffix("id3v1.aac") })
  func adtsFilesAreFramedWhole(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let framed = Framed(bytes, step: 999)
    #expect(framed.packets.first?.info.followsGap == false)
    #expect(framed.packets.allSatisfy { $0.info.format.codec == .aac })
    #expect(framed.skipped == 0)
    #expect(framed.tagged + framed.packets.reduce(0) { $0 + $1.info.byteCount } == bytes.count)
  }

  // One of them has a hole in the middle.
  @Test(
    arguments: (Corpora.files("tags") + Corpora.files("mp3-extra"))
      .filter { $0.hasSuffix(".mp3") && !$0.hasSuffix("apev2-lyricsv2.mp3") })
  func taggedFilesLoseNothingBetweenFirstAndLastPacket(path: String) throws {
    let bytes = try Corpora.bytes(path)
    let framed = Framed(bytes, step: 1460)
    let sum = framed.packets.reduce(0) { $0 + $1.info.byteCount }
    #expect(framed.skipped + framed.tagged + sum == bytes.count)
    #expect(framed.packets.dropFirst().allSatisfy { !$0.info.followsGap })
  }

  @Test(arguments: [("128aac/music-128k.aac", "128aac/music-128k", 16_000), ("vbr/isics-all.mp3", "vbr/isics-all", 64)])
  func icyDumpsComeApartByteForByte(file: String, stem: String, metaint: Int) throws {
    let folder = "icy/icecast-metadata-js/record/"
    let raw = try Corpora.bytes(folder + file + ".raw")
    let parted = Demuxed(raw, metaint: metaint, step: 1460)
    let expected = try Corpora.bytes(folder + file)
    #expect(parted.audio == expected)

    let cue = String(decoding: try Corpora.bytes(folder + stem + ".cue"), as: UTF8.self)
    let tracks = cue.split(separator: "\n").filter { $0.hasPrefix("    TITLE ") }.map {
      // The recorder puts its clock before some titles.
      let title = $0.dropFirst(11).dropLast($0.hasSuffix("\r") ? 2 : 1)
      return String(title.hasPrefix("2020-") ? title.dropFirst(25) : title)
    }
    let titles = parted.blocks.compactMap { block in
      IcyMetadata(parsing: block.span).title.map { MetadataText.decode(block[$0].span) }
    }
    #expect(titles == tracks)
  }

  @Test(arguments: ["128aac/music-128k.aac", "vbr/isics-all.mp3"])
  func recordedStreamsAreFramed(file: String) throws {
    let bytes = try Corpora.bytes("icy/icecast-metadata-js/record/" + file)
    let framed = Framed(bytes, step: 1460)
    #expect(framed.packets.dropFirst().allSatisfy { !$0.info.followsGap })
    #expect(framed.skipped < 1500)
  }

  private func sniff(_ path: String, type: String? = nil) throws -> ContentKind? {
    let bytes = try Corpora.bytes(path)
    let head = bytes.prefix(4096)
    return ContentSniffer.sniff(head.span, isWhole: bytes.count <= 4096, contentType: type, path: "/" + path)
  }

  private static let extensions: [String: ContentKind] = [
    "m3u": .playlist(.m3u), "pls": .playlist(.pls), "xspf": .playlist(.xspf), "asx": .playlist(.asx),
    "m3u8": .refused(.hls), "m4s": .refused(.m4a), "mp4": .refused(.m4a), "m4a": .refused(.m4a), "mp3": .audio,
    "aac": .audio, "adts": .audio, "flac": .refused(.flac), "ogg": .refused(.ogg), "opus": .refused(.ogg),
    "ts": .refused(.mpegTS), "bit": .audio,
  ]

  @Test(arguments: ["playlists", "hls", "aac", "mp3-extra", "media3", "mp3-conformance", "tags", "icy"])
  func everythingIsSniffedAsWhatItIs(folder: String) throws {
    for path in Corpora.files(folder) {
      let name = path.split(separator: "/").last ?? ""
      guard let kind = Self.extensions[String(name.split(separator: ".").last ?? "")], name.contains(".") else {
        continue
      }
      let bytes = try Corpora.bytes(path)
      // FLAC behind a tag longer than the head looks like audio.
      let expected = bytes.isEmpty ? .empty : name == "bear_with_id3.flac" ? .audio : kind
      #expect(try sniff(path) == expected, "\(path)")
    }
  }

  @Test func bytesWinOverNames() throws {
    #expect(try sniff("hls/media3/m3u8/media_playlist", type: "audio/x-mpegurl") == .refused(.hls))
    #expect(try sniff("icy/icecast-metadata-js/stats/7.html", type: "audio/mpeg") == .refused(.html))
    #expect(try sniff("icy/icecast-metadata-js/stats/icy", type: "text/html") == .audio)
    #expect(try sniff("icy/icecast-metadata-js/stats/ogg", type: "audio/mpeg") == .refused(.ogg))
    #expect(try sniff("icy/icecast-metadata-js/record/vbr/isics-all.mp3.raw", type: "audio/mpeg") == .audio)
  }
}
