extension WebReply {
  /// Creates a response with a recording, or with the requested part.
  init(_ file: PassedFile, named name: String, for head: WebHead) {
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? name
    type = Self.type(of: last)
    headers = [
      ("ETag", file.tag), ("Accept-Ranges", "bytes"), ("Content-Disposition", Self.disposition(last)),
    ]
    if head["if-none-match"] == file.tag {
      status = 304
      return
    }
    switch ByteRange(head["range"], ifRange: head["if-range"], tag: file.tag, count: file.byteCount) {
    case .whole: download = FileDownload(file, 0..<file.byteCount)
    case .part(let part):
      status = 206
      headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"))
      download = FileDownload(file, part)
    case .outside:
      status = 416
      headers.append(("Content-Range", "bytes */\(file.byteCount)"))
    }
  }

  private static let types = [
    "mp1": "audio/mpeg", "mp2": "audio/mpeg", "mp3": "audio/mpeg", "aac": "audio/aac", "flac": "audio/flac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
  ]

  private static func type(of name: String) -> String {
    let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    return dot.flatMap { types[name[name.index(after: $0)...].lowercased()] } ?? "application/octet-stream"
  }

  /// Returns the header for a download under this name (RFC 6266). Other characters than letters, digits and " -.()_"
  /// are replaced in the plain name, and encoded in the second one.
  private static func disposition(_ name: String) -> String {
    let plain = name.unicodeScalars.map { isPlain($0) || " ()".unicodeScalars.contains($0) ? Character($0) : "_" }
    let encoded = name.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain(scalar) ? String(scalar) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return "attachment; filename=\"\(String(plain))\"; filename*=UTF-8''\(encoded.joined())"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
    default: false
    }
  }
}
