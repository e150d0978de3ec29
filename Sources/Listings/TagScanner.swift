/// Finds tags in text that looks like XML, and never fails; linear in the text.
struct TagScanner {
  /// A start tag, or an end tag with "/" before its name.
  struct Tag {
    /// In small letters.
    var name: String
    /// The value of its first `href` attribute, as written.
    var href: Substring?
  }

  private var rest: Substring.UTF8View

  init(_ text: Substring) { rest = text.utf8 }

  /// The next tag; nil after the last, and in a comment that does not end.
  mutating func next() -> Tag? {
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if rest.starts(with: "!--".utf8) {
        guard skipComment() else { return nil }
        continue
      }
      let slash = take { $0 == UInt8(ascii: "/") }
      let name = slash + take { !$0.endsName }
      return Tag(name: name[...].asciiLowercased, href: takeHref())
    }
    return nil
  }

  /// The text up to the next tag.
  mutating func text() -> Substring { take { $0 != UInt8(ascii: "<") } }

  private mutating func skipComment() -> Bool {
    while let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
      rest = rest[dash...]
      if rest.starts(with: "-->".utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Passes the attributes up to ">", and gives the value of the first `href`.
  private mutating func takeHref() -> Substring? {
    var href: Substring?
    while true {
      _ = take { $0.isBlank || $0 == UInt8(ascii: "/") }
      guard let byte = rest.first, byte != UInt8(ascii: "<") else { return href }
      if byte == UInt8(ascii: ">") {
        rest = rest.dropFirst()
        return href
      }
      let name = take { !$0.endsName && $0 != UInt8(ascii: "=") }
      _ = take(while: \.isBlank)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst()
      _ = take(while: \.isBlank)
      guard let value = takeValue() else { return href }
      if href == nil, name.asciiLowercased == "href" { href = value }
    }
  }

  /// A value in quotes or bare; nil where a quote is not closed in its line.
  private mutating func takeValue() -> Substring? {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return take { !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    }
    let body = rest.dropFirst()
    guard let end = body.firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }),
      body[end] == quote
    else { return nil }
    rest = body[end...].dropFirst()
    return Substring(body[..<end])
  }

  private mutating func take(while belongs: (UInt8) -> Bool) -> Substring {
    let taken = rest.prefix(while: belongs)
    rest = rest[taken.endIndex...]
    return Substring(taken)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self <= 0x20 }

  fileprivate var endsName: Bool {
    isBlank || self == UInt8(ascii: ">") || self == UInt8(ascii: "/") || self == UInt8(ascii: "<")
  }
}
