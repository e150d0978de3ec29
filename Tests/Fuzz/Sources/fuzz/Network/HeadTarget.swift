@testable import Network

/// Any lines as the heads of an answer, and as a body in chunks.
final class Heads: FuzzTarget {
  static let name = "http-head"
  static let seeds = [
    "HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n"
      + "Content-Length: 12\r\n\r\n",
    "ICY 200 OK\r\nicy-name: A\u{7}\r\n b\r\nicy-br:128,128\r\nicy-metaint: 16000\r\nicy-pub: 1\r\n"
      + "icy-genre: \u{FC}\r\n\r\n",
    "HTTP/1.0 206 \r\nContent-Range: bytes 0-99/1000\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\n",
    "5;a=b\r\nsound\r\n0003\r\nabc\r\n0\r\nx: y\r\n\r\n",
    "HTTP/1.1 503 x\nRetry-After: 99999999999999999999\nETag: \"a\"\nLast-Modified: b\nServer: c\n"
      + "Content-Encoding: gzip\n\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    expect(
      Self.content(bytes.array, pieces: .max) == Self.content(bytes.array, pieces: 1), "cuts do not show in chunks")
    var reader = HeadReader()
    let all = bytes.array
    for line in all.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let isEnd = (line + [0x0A]).withUnsafeBytes { reader.take($0) }
      expect(!isEnd || !reader.isFlooded, "nothing ends in a flood")
      _ = reader.isSurelyFinal
    }
    expect(reader.redirect?.unredacted.isEmpty != true, "a redirect leads somewhere")
    if let head = reader.head { Self.check(head) }
  }

  /// What the chunks hold, read in pieces of a length.
  private static func content(_ bytes: [UInt8], pieces length: Int) -> [UInt8] {
    var (decoder, content, rest) = (ChunkDecoder(), [UInt8](), bytes[...])
    while !rest.isEmpty {
      let piece = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      var place = 0
      let isWell = piece.withUnsafeBytes { raw in
        do throws(ChunkDecoder.Fault) {
          while let range = try decoder.next(in: raw, from: &place) { content += raw[range] }
          return true
        } catch {
          return false
        }
      }
      if !isWell { return content }
    }
    return content
  }

  private static func check(_ head: HttpHead) {
    let texts = [
      head.contentType, head.contentEncoding, head.etag, head.lastModified, head.server, head.icy.name, head.icy.genre,
      head.icy.url, head.icy.description,
    ]
    let location = head.location?.unredacted
    expect(location?.utf8.count ?? 0 <= 3 * WebAddress.longest + 3, "an address has its measure too")
    for text in (texts + [location]).compactMap(\.self) {
      expect(text == location || text.utf8.count <= 2_048, "a value has its measure")
      expect(
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "no control character is kept")
    }
    expect((100...999).contains(head.status), "a status has three digits")
    let numbers = [head.contentLength, head.contentRangeStart, head.contentRangeTotal, head.retryAfter.map(Int64.init)]
    expect(numbers.allSatisfy { $0 ?? 0 >= 0 }, "counts are not negative")
    expect(head.icy.metaint ?? 1 > 0 && head.icy.bitRate?.bitsPerSecond ?? 1 > 0, "a rate is more than nothing")
    _ = head.isCompressed
  }
}
