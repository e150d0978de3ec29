struct ListingText {
  /// The trimmed text, without a byte order mark.
  let characters: Substring

  /// Decodes UTF-8 or UTF-16 by its byte order mark, otherwise UTF-16 by its zeros, otherwise valid UTF-8, otherwise
  /// the declared encoding, otherwise that of the header field `contentType`, otherwise windows-1252.
  init(decoding bytes: Span<UInt8>, contentType: String? = nil) {
    characters = Substring(bytes.withUnsafeBufferPointer { Self.decoded($0, contentType) }).trimmed
  }

  var first: UInt8? { characters.utf8.first }

  var lines: Lines { Lines(rest: characters.utf8) }

  /// The trimmed lines without blank lines; CR, LF or CRLF end a line. Stops after 32,768 CR or LF characters.
  struct Lines: Sequence, IteratorProtocol {
    fileprivate var rest: Substring.UTF8View
    private var left = 32_768

    fileprivate init(rest: Substring.UTF8View) { self.rest = rest }

    mutating func next() -> Substring? {
      while !rest.isEmpty, left > 0 {
        left -= 1
        let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
        let line = Substring(rest[..<end]).trimmed
        rest = rest[end...].dropFirst()
        if !line.isEmpty { return line }
      }
      return nil
    }
  }

  private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ contentType: String?) -> String {
    let head = bytes.prefix(4)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if head.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), low: 0) }
    if head.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), low: 1) }
    switch head.map({ $0 == 0 }) {
    case [false, true, false, true]: return utf16(bytes[...], low: 0)
    case [true, false, true, false]: return utf16(bytes[...], low: 1)
    default: break
    }
    let valid = String(validating: bytes, as: UTF8.self)
    // Only encodings with shifts are valid UTF-8 and yet another text.
    if let valid, !bytes.contains(0x1B) { return valid }
    let names = [DeclaredEncoding.listName(in: bytes), DeclaredEncoding.sentName(in: contentType)]
    let declared = names.lazy.compactMap { $0.flatMap { DeclaredEncoding($0) } }.first
    switch declared {
    case .other(_, let hasShifts)?: return hasShifts || valid == nil ? declared?.text(Array(bytes)) ?? "" : valid ?? ""
    default: return valid ?? DeclaredEncoding.windows1252.text(Array(bytes))
    }
  }

  /// Decodes UTF-16 with the low byte at offset `low` of each pair.
  private static func utf16(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, low: Int) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
    }
    return String(decoding: Array(units), as: UTF16.self)
  }
}

extension Substring {
  /// The text without leading and trailing bytes up to 0x20 (control characters and blanks).
  var trimmed: Substring {
    let isInk = { (byte: UInt8) in byte > 0x20 }
    guard let first = utf8.firstIndex(where: isInk), let last = utf8.lastIndex(where: isInk) else { return "" }
    return Substring(utf8[first...last])
  }

  /// True if the text starts with `prefix`, ignoring ASCII case. `prefix` must be in lower case.
  func hasPrefix(anyCase prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      utf8.count >= prefix.count && zip(utf8, prefix).allSatisfy { $0.asciiLowercased == $1 }
    }
  }

  var asciiLowercased: String {
    let hasCapitals = utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    return hasCapitals ? String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) : String(self)
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 { Self(ascii: "A")...Self(ascii: "Z") ~= self ? self | 0x20 : self }
}
