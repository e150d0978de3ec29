import Framing

enum PlainText {
  /// Maximum length of a tag, in bytes; a longer tag counts as text.
  private static let maxTagLength = 512

  /// Returns UTF-8 text, cleaned for display, in at most `byteLimit` bytes; nil if empty.
  static func words(_ text: some Sequence<UInt8>, byteLimit: Int) -> String? {
    let words = DisplayText.clean(String(decoding: Array(text), as: UTF8.self), byteLimit: byteLimit)
    return words.isEmpty ? nil : words
  }

  /// Returns the text of HTML like `words(_:byteLimit:)`, without tags and with decoded references.
  static func words(ofHtml html: [UInt8], byteLimit: Int) -> String? {
    var text: [UInt8] = []
    var rest = html[...]
    // The next ">"; cached, so that many unclosed tags do not repeat the search.
    var close = rest.startIndex
    while let byte = rest.first {
      if byte == UInt8(ascii: "<"), close <= rest.startIndex {
        close = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
      }
      if byte == UInt8(ascii: "<"), let tag = tag(rest, closedAt: close) {
        if separatesWords(tag) { text.append(0x20) }
        rest = rest[tag.endIndex...]
      } else if byte == UInt8(ascii: "&"), let (scalar, end) = reference(rest) {
        text += UTF8.encode(scalar) ?? .init()
        rest = rest[end...]
      } else {
        text.append(byte)
        rest.removeFirst()
      }
    }
    return words(text, byteLimit: byteLimit)
  }

  /// Returns the tag or comment at the start of `text`. `end`: index of the next ">".
  private static func tag(_ text: ArraySlice<UInt8>, closedAt end: Int) -> ArraySlice<UInt8>? {
    guard end < text.endIndex, end - text.startIndex < maxTagLength, let first = text.dropFirst().first else {
      return nil
    }
    let isTag =
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= first.asciiLowercased || first == UInt8(ascii: "/")
      || first == UInt8(ascii: "!")
    return isTag ? text[...end] : nil
  }

  /// Returns true if `tag` separates two words.
  private static func separatesWords(_ tag: ArraySlice<UInt8>) -> Bool {
    let name = tag.dropFirst().drop { $0 == UInt8(ascii: "/") }.prefix {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0.asciiLowercased
    }
    return ["br", "p", "div", "li"].contains(String(decoding: name.map(\.asciiLowercased), as: UTF8.self))
  }

  private static func reference(_ text: ArraySlice<UInt8>) -> (Unicode.Scalar, end: Int)? {
    let name = text.dropFirst().prefix(CharacterReference.maxNameLength + 1).prefix { $0 != UInt8(ascii: ";") }
    guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"),
      let scalar = CharacterReference.scalar(Array(name))
    else { return nil }
    return (scalar, name.endIndex + 1)
  }
}
