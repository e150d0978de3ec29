/// An entry's address: an absolute or relative URL (RFC 3986), cleaned for a request.
struct Reference {
  let text: String

  /// Parses a reference, unquoted; nil if empty, too long, a Windows path, or if it contains a control character.
  init?(_ written: Substring) {
    let words = written.trimmed.unquoted.trimmed
    guard !words.isEmpty, words.utf8.count <= PlaylistLimits.maxLineLength, !words.isWindowsPath else { return nil }
    // Most references are clean, and bytes compare much faster than characters.
    if words.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0xC2 }) {
      text = String(words)
      return
    }
    var text = ""
    for scalar in words.unicodeScalars {
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0: return nil
      case 0x20: text += "%20"
      default: text.unicodeScalars.append(scalar)
      }
    }
    guard text.utf8.count <= PlaylistLimits.maxLineLength else { return nil }
    self.text = text
  }

  /// Resolves against `base` (RFC 3986, 5.2.2). Keeps "." and "..", which the transfer removes; nil if too long.
  func resolved(against base: Reference?) -> Reference? {
    guard let base else { return self }
    if text.utf8.starts(with: "//".utf8) { return Reference(base.scheme + text) }
    if text[...].authority != nil { return self }
    let trunk = Substring(base.text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    let path = trunk.authority.map { trunk.utf8[$0...].firstIndex(of: UInt8(ascii: "/")) ?? trunk.endIndex }
    let root = path ?? trunk.startIndex
    // A query or a fragment alone keeps the whole path.
    if text.utf8.first == UInt8(ascii: "?") { return Reference(trunk + text) }
    if text.utf8.first == UInt8(ascii: "#") {
      return Reference(Substring(base.text.utf8.prefix { $0 != UInt8(ascii: "#") }) + text)
    }
    if text.utf8.first == UInt8(ascii: "/") { return Reference(trunk[..<root] + text) }
    if let slash = trunk.utf8[root...].lastIndex(of: UInt8(ascii: "/")) { return Reference(trunk[...slash] + text) }
    return Reference(path == nil ? text[...] : trunk + "/" + text)
  }

  /// The scheme such as "http:"; empty for a relative URL.
  private var scheme: Substring {
    guard let authority = text[...].authority else { return "" }
    return Substring(text.utf8[..<authority].dropLast(2))
  }
}

extension Substring {
  /// The start of the host after "scheme://" or "//"; nil for a path.
  fileprivate var authority: Index? {
    guard let slash = utf8.firstIndex(of: UInt8(ascii: "/")), utf8[slash...].starts(with: "//".utf8),
      slash == startIndex || self[..<slash].isScheme
    else { return nil }
    return utf8.index(slash, offsetBy: 2)
  }

  /// True for a scheme such as "http:" (RFC 3986 section 3.1).
  private var isScheme: Bool {
    utf8.last == UInt8(ascii: ":")
      && utf8.dropLast().allSatisfy { byte in
        switch byte.asciiLowercased {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  fileprivate var unquoted: Substring {
    guard utf8.count >= 2, let quote = utf8.first, quote == utf8.last,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return self }
    return Substring(utf8.dropFirst().dropLast())
  }

  /// True for `C:\x`, `C:/x`, `\\server\x` or `folder\x`.
  fileprivate var isWindowsPath: Bool {
    if utf8.dropFirst().first == UInt8(ascii: ":") { return true }
    return authority == nil && utf8.contains(UInt8(ascii: "\\"))
  }
}
