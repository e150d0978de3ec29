@testable import Framing

/// Finds ID3, APE and Lyrics3 tags at the start of any bytes.
final class TagSearch: FuzzTarget {
  static let name = "tags"
  static let longest = 80
  static let seeds = [
    Array("ID3\u{4}\0\u{10}\0\0\u{2}\u{1}".utf8), Array("TAG".utf8), Array("LYRICSBEGIN".utf8),
    Array("IND00002".utf8) + Array("00LYR00014".utf8), Array("000046LYRICS200".utf8),
    Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xA0] + [UInt8](repeating: 0, count: 8),
  ]

  func run(_ bytes: Span<UInt8>) {
    check(bytes) { MetadataTag.search($0, at: 0) }
    check(bytes, MetadataTag.lyricsField)
    checkTexts(of: bytes)
  }

  /// Checks that a tag's texts do not depend on the sizes of the pieces.
  private func checkTexts(of bytes: Span<UInt8>) {
    var (whole, parts) = (Id3Reader(), Id3Reader())
    whole.append(bytes)
    for index in bytes.indices { parts.append(bytes.extracting(index..<index + 1)) }
    expect(whole.title == parts.title && whole.artist == parts.artist, "a tag does not change by how it is cut")
  }

  /// Checks that a prefix gives the same result, or a request for more bytes.
  private func check(_ bytes: Span<UInt8>, _ search: (Span<UInt8>) -> MetadataTag.Search) {
    let whole = search(bytes)
    if case .found(let tag) = whole {
      let longest = 32 + MetadataTag.maxByteCount
      expect(tag.byteCount > 0 && tag.byteCount <= longest, "a tag has a length that a counter can hold")
    }
    for count in 0..<bytes.count {
      switch (search(bytes.extracting(0..<count)), whole) {
      case (.cut, _), (.nothing, .nothing): break
      case (.found(let tag), .found(let same)): expect(tag == same, "a tag does not change with what follows")
      default: fatalError("What is decided stays so when more bytes come.")
      }
    }
  }
}

/// Finds the information packet of a file (Xing, Info).
final class XingSearch: FuzzTarget {
  static let name = "xing"
  static let longest = 64
  static let seeds = [[0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0, count: 32) + Array("Xing".utf8)]

  func run(_ bytes: Span<UInt8>) {
    guard XingHeader.isPresent(in: bytes) else { return }
    expect(MpegHeader(bytes)?.layer == .three, "only Layer III packets hold figures")
    let words = ["Xing", "Info", "VBRI"].map { Array($0.utf8) }
    let isThere = (0..<bytes.count).contains { place in
      words.contains { word in word.indices.allSatisfy { place + $0 < bytes.count && bytes[place + $0] == word[$0] } }
    }
    expect(isThere, "figures begin with their name")
  }
}

/// Detects a format from a response's first bytes, Content-Type and path.
final class Sniffing: FuzzTarget {
  static let name = "sniffer"
  static let longest = 4_200
  static let seeds = [
    "\0\0\0<?xml version=\"1.0\"?><!-- a --><playlist>", "\0\0\0[playlist]\nFile1=http://a/", "\0\0\0#EXTM3U\n#EXT-X-A",
    "\0\0\0<!doctype html><html>", "\u{1}\0\0http://a.example/b", "\0\0\0ID3\u{4}\0\0\0\0\0\u{2}aafLaC", "\0\0\0OggS",
  ].map { Array($0.utf8) }

  private static let types = [
    nil, "", "audio/mpeg", "audio/aacp; charset=x", "application/ogg", "text/html", "audio/x-scpls", "video/x-ms-asf",
    "application/octet-stream", ";;,", "application/rss+xml", "video/mp2t",
  ]
  private static let paths = [
    nil, "", "/", "/a.mp3?x.m3u", "/a.b/c", "/.pls", "/x.wma", "/x.html#a.mp3", "/x.ts", "/a.",
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let isWhole = recipe.flag()
    let type = recipe.pick(Self.types)
    let path = recipe.pick(Self.paths)
    let head = recipe.rest()
    let kind = ContentSniffer.sniff(head.span, isWhole: isWhole, contentType: type, path: path)
    if isWhole || head.count >= ContentSniffer.maxHeadByteCount { expect(kind != nil, "all bytes, or enough, decide") }
    expect((kind == .empty) == (isWhole && head.isEmpty), "empty is what has no bytes")
  }
}
