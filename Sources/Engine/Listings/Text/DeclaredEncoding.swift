import Framing

/// The encoding that a document names, and its meaning.
enum DeclaredEncoding {
  case utf8
  case windows1252
  /// `hasShifts`: true if ASCII bytes may be parts of other characters, as in ISO-2022-JP.
  case other(TextConverter, hasShifts: Bool)

  /// Maximum number of bytes searched for the end of a declaration.
  static let maxHeadLength = 2_048

  /// Nil for an unknown encoding. UTF-16 counts as UTF-8: a declaration in ASCII bytes is wrong.
  init?(_ name: String) {
    let name = name[...].trimmed.asciiLowercased
    if Self.unicode.contains(name) {
      self = .utf8
    } else if Self.latin.contains(name) {
      self = .windows1252
    } else {
      let known = Self.supersets.first { $0.names.contains(name) }?.encoding ?? name
      guard let converter = TextConverter(known), converter.utf8(Self.markup.span) == Self.markup else { return nil }
      self = .other(converter, hasShifts: name.hasPrefix("iso-2022") || name.hasPrefix("hz"))
    }
  }

  private static let unicode: Set = [
    "utf-8", "utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be", "utf16", "ucs-2", "utf-32", "unicode",
  ]
  private static let latin: Set = [
    "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252",
    "x-cp1252", "ansi",
  ]
  /// As in browsers, names of encodings stand for their usual extensions (WHATWG Encoding).
  private static let supersets: [(encoding: String, names: Set<String>)] = [
    ("CP1254", ["iso-8859-9", "iso8859-9", "latin5", "l5", "windows-1254"]),
    ("CP874", ["tis-620", "iso-8859-11", "windows-874"]),
    ("CP932", ["shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji", "ms932"]),
    ("GB18030", ["gb2312", "gb_2312-80", "gbk", "x-gbk", "euc-cn", "windows-936", "cp936"]),
    ("CP949", ["euc-kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "windows-949", "korean"]),
    ("BIG5-HKSCS", ["big5", "big-5", "x-x-big5", "cn-big5", "big5-hkscs"]),
    ("EUC-JP", ["x-euc-jp", "eucjp"]), ("MACINTOSH", ["x-mac-roman", "mac"]),
    ("MAC-CYRILLIC", ["x-mac-cyrillic"]), ("ISO-8859-8", ["iso-8859-8-i"]), ("KOI8-R", ["koi8", "koi"]),
    ("CP1251", ["x-cp1251", "win-1251", "win1251"]), ("CP1250", ["x-cp1250"]),
  ]
  /// Markup of a document, which an encoding for documents does not change.
  private static let markup = Array("<?xml version=\"1.0\" encoding='a_9-Z'?>&;#/!".utf8)

  /// Returns the text, with invalid bytes of windows-1252 as U+FFFD.
  func text(_ bytes: [UInt8]) -> String {
    switch self {
    case .utf8: String(decoding: bytes, as: UTF8.self)
    case .windows1252: String(decoding: bytes.map(MetadataText.windows1252), as: UTF16.self)
    case .other(let converter, _): String(decoding: converter.utf8(bytes.span), as: UTF8.self)
    }
  }

  // MARK: Declarations

  /// Returns the name in the XML declaration of `head`, in lower case; nil without one.
  static func xmlName(in head: some Collection<UInt8>) -> String? {
    let bytes = Array(head.prefix(maxHeadLength))
    guard let start = xmlStart(in: bytes), let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let words = String(decoding: bytes[start..<end].map(\.asciiLowercased), as: UTF8.self)
    let parts = words.split(omittingEmptySubsequences: false) { "= \t\r\n\"'".contains($0) }.filter { !$0.isEmpty }
    guard let place = parts.firstIndex(of: "encoding"), place + 1 < parts.count else { return nil }
    return String(parts[place + 1])
  }

  /// Returns the name in the header field Content-Type, such as "text/xml; charset=gbk", in lower case; nil without
  /// one.
  static func sentName(in contentType: String?) -> String? {
    guard let contentType else { return nil }
    let words = contentType.prefix(maxFieldLength).utf8.map(\.asciiLowercased)
    let fields = String(decoding: words, as: UTF8.self).split(separator: ";").dropFirst()
    let parts = fields.map { $0.split { "= \t\"'".contains($0) } }
    return parts.first { $0.count > 1 && $0[0] == "charset" }.map { String($0[1]) }
  }

  private static let maxFieldLength = 256

  /// Returns the index of the XML declaration in `head`, after white space or other text of a faulty server; nil
  /// without a declaration.
  static func xmlStart(in head: [UInt8]) -> Int? {
    let mark = Array("<?xml".utf8)
    let start = head.prefix(maxHeadLength).indices.first { head[$0] == mark[0] && head[$0...].starts(with: mark) }
    guard let start, start == 0 || mayPrecedeXml(head[..<start]) else { return nil }
    return start
  }

  /// True for text without markup, or with only the markup of an error message.
  static func mayPrecedeXml(_ text: ArraySlice<UInt8>) -> Bool {
    guard let bracket = text.firstIndex(of: UInt8(ascii: "<")) else { return true }
    let name = text[bracket...].dropFirst().prefix(8).map(\.asciiLowercased).prefix { 0x61...0x7A ~= $0 }
    return ["br", "b", "p", "div", "font", "pre"].contains(String(decoding: name, as: UTF8.self))
  }

  /// Returns the encoding that a playlist's text names: by an XML declaration, a parameter of ASX, or `#EXTENC`.
  static func listName(in text: some Collection<UInt8>) -> String? {
    if let name = xmlName(in: text) { return name }
    let head = String(decoding: text.prefix(maxHeadLength).map(\.asciiLowercased), as: UTF8.self)
    if let comment = head.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("#extenc:") }) {
      return String(comment.dropFirst("#extenc:".count).drop { $0 == " " })
    }
    for tag in head.split(separator: "<") where tag.hasPrefix("param") {
      let words = tag.split { "= \t\r\n\"'/>".contains($0) }
      guard words.contains("encoding"), let value = words.firstIndex(of: "value"), value + 1 < words.count else {
        continue
      }
      return String(words[value + 1])
    }
    return nil
  }
}
