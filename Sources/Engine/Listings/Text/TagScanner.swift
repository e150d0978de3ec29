/// Finds tags in XML-like text without failing; linear in the text.
struct TagScanner {
  /// A start tag, or an end tag with "/" before its name.
  struct Tag {
    /// The name in lower case.
    var name: String
    /// The first `href` attribute as written.
    var href: String?
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ text: Substring) { bytes = Array(text.utf8) }

  /// Returns the next tag; nil after the last tag, and in an unclosed comment.
  mutating func next() -> Tag? {
    while true {
      skip { $0 != UInt8(ascii: "<") }
      guard peek() != nil else { return nil }
      position += 1
      guard follows("!--") else { break }
      while !follows("-->") {
        guard peek() != nil else { return nil }
        position += 1
      }
    }
    let start = position
    skip { $0 == UInt8(ascii: "/") }
    skip { !$0.endsName }
    let name = String(decoding: bytes[start..<position].map(\.asciiLowercased), as: UTF8.self)
    return Tag(name: name, href: scanHref())
  }

  mutating func text() -> String {
    let start = position
    skip { $0 != UInt8(ascii: "<") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Skips attributes up to ">" and returns the first `href`.
  private mutating func scanHref() -> String? {
    var href: String?
    while true {
      skip { $0.isBlank || $0 == UInt8(ascii: "/") }
      guard let byte = peek(), byte != UInt8(ascii: "<") else { return href }
      if byte == UInt8(ascii: ">") {
        position += 1
        return href
      }
      let start = position
      skip { !$0.endsName && $0 != UInt8(ascii: "=") }
      let name = start..<position
      skip(while: \.isBlank)
      guard peek() == UInt8(ascii: "=") else { continue }
      position += 1
      skip(while: \.isBlank)
      guard let value = scanValue() else { return href }
      let isHref = bytes[name].lazy.map(\.asciiLowercased).elementsEqual("href".utf8)
      if href == nil, isHref { href = String(decoding: bytes[value], as: UTF8.self) }
    }
  }

  /// Returns the range of a quoted or bare value; nil if its quote is not closed in the same line.
  private mutating func scanValue() -> Range<Int>? {
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      skip { !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
      return start..<position
    }
    let start = position + 1
    let end = bytes[start...].firstIndex { $0 == quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let end, bytes[end] == quote else { return nil }
    position = end + 1
    return start..<end
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private func follows(_ mark: StaticString) -> Bool {
    mark.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func skip(while belongs: (UInt8) -> Bool) {
    while position < bytes.count, belongs(bytes[position]) { position += 1 }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self <= 0x20 }

  fileprivate var endsName: Bool {
    isBlank || self == UInt8(ascii: ">") || self == UInt8(ascii: "/") || self == UInt8(ascii: "<")
  }
}
