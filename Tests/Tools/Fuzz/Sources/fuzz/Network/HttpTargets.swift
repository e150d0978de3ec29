@testable import Http
import Units

/// Parses any text as an address and as a reference in a list, and prepares it for display.
final class Addresses: FuzzTarget {
  static let name = "address"
  static let longest = 300
  static let seeds = [
    "\0http://anna:secret@Radio.Example:8000/a/../b?token=1#c", "\u{1}radio.example:8000/live", "\u{2}icy://[::1]/;a",
    "\u{3}//a.example/b c%20%zz", "\u{4}file:///a/%41?b", "\u{5}HTTPS:a", "\u{6}http://b\u{FC}cher.example/\u{301}",
    "\u{7}../../a:b?c", "\u{8}http://1.2.3.4:99999/", "\u{9}a@\u{301}b/?\u{301}key=1",
  ].map { Array($0.utf8) }

  /// A password that no fuzzer creates by chance.
  private static let secret = "zQ7xW9vK3mJ5"

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let allowsFile = recipe.flag()
    let cut = recipe.number(0...40)
    let head = String(decoding: recipe.take(cut), as: UTF8.self)
    let text = String(decoding: recipe.rest(), as: UTF8.self)
    if let address = try? WebAddress(text, allowsFile: allowsFile) {
      Self.check(address, allowsFile)
      if let found = try? address.resolve(head) { Self.check(found, allowsFile && address.isFile) }
      if let found = try? address.adding(query: [head, text]) { Self.check(found, allowsFile) }
    }
    Self.check(redacted: StationAddress(text).description)
    Self.checkSecret(head, text)
  }

  private static func check(_ address: WebAddress, _ allowsFile: Bool) {
    expect(
      ["http", "https"].contains(address.scheme) || allowsFile && address.isFile, "only what is allowed is spoken")
    expect(
      address.url.unredacted.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F || $0 >= 0x80 },
      "an address has no spaces or controls")
    expect(address.path.hasPrefix("/"), "a path begins at the root")
    expect(address.isFile || !address.host.isEmpty, "there is a host")
    expect((0...65_535).contains(address.port), "a port has 16 bits")
    check(redacted: address.description)
    guard let same = try? WebAddress(address.url, allowsFile: allowsFile) else {
      expect(address.url.unredacted.utf8.count > 16_000, "an address in its normal form can be read again")
      return
    }
    expect(same.url == address.url && same.credentials == nil, "and is the same, without secrets")
  }

  private static func check(redacted text: String) {
    expect(
      text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "no control character is shown")
  }

  /// Checks that no password before "@" and no token in a query is displayed.
  private static func checkSecret(_ head: String, _ tail: String) {
    let user = String(String.UnicodeScalarView(head.unicodeScalars.filter { !"/?#\\@:".unicodeScalars.contains($0) }))
    let scheme = "x" + String(head.utf8.filter { (0x61...0x7A).contains($0) }.map { Character(Unicode.Scalar($0)) })
    for text in [
      "http://\(user):\(secret)@\(tail)", "\(scheme)://a:\(secret)@\(tail)", "a\(user):\(secret)@\(tail)",
      "http://a.example/\(user)?token=\(secret)",
    ] {
      expect(!StationAddress(text).description.contains(secret), "no secret is shown")
    }
  }
}

/// Parses any lines as response heads, and as a chunked body.
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
      let isEnd = (line + [0x0A]).withUnsafeBytes { reader.parse($0) }
      expect(!isEnd || !reader.isFlooded, "nothing ends in a flood")
      _ = reader.isSurelyFinal
    }
    expect(reader.redirect?.unredacted.isEmpty != true, "a redirect leads somewhere")
    if let head = reader.head { Self.check(head) }
  }

  /// Returns the content of the chunks, decoded in pieces of `length` bytes.
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
    expect(location?.utf8.count ?? 0 <= 3 * WebAddress.maxByteCount + 3, "an address has its measure too")
    for text in (texts + [location]).compactMap(\.self) {
      expect(text == location || text.utf8.count <= 2_048, "a value has its measure")
      expect(
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "no control character is kept")
    }
    expect((100...999).contains(head.status), "a status has three digits")
    let numbers = [
      head.contentLength, head.contentRangeStart, head.contentRangeTotal,
      head.retryAfter(at: 1_763_683_200).map(Int64.init),
    ]
    expect(numbers.allSatisfy { $0 ?? 0 >= 0 }, "counts are not negative")
    expect(head.icy.metaint ?? 1 > 0 && head.icy.bitRate?.bitsPerSecond ?? 1 > 0, "a rate is more than nothing")
    _ = head.isCompressed
  }
}
