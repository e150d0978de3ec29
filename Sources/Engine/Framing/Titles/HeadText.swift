/// The first bytes of some content as text: lower case, one byte per character.
struct HeadText {
  /// Without byte order mark and leading white space.
  private let text: [UInt8]
  let isText: Bool

  /// FF FE also begins a frame of Layer I, but in such a frame the high bytes are not all zero.
  init?(marked bytes: Span<UInt8>) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      self.init(bytes.indices.dropFirst(3).map { bytes[$0] })
      return
    }
    guard bytes.count >= 4 else { return nil }
    let isLittle = bytes[0] == 0xFF && bytes[1] == 0xFE
    guard isLittle || (bytes[0] == 0xFE && bytes[1] == 0xFF) else { return nil }
    let high = isLittle ? 1 : 0
    let pairs = stride(from: 2, to: bytes.count - 1, by: 2)
    guard pairs.prefix(8).allSatisfy({ bytes[$0 + high] == 0 }) else { return nil }
    self.init(pairs.map { bytes[$0 + high] == 0 ? bytes[$0 + 1 - high] : UInt8(ascii: "?") })
  }

  init(plain bytes: Span<UInt8>) {
    self.init(bytes.indices.map { bytes[$0] })
  }

  private init(_ bytes: [UInt8]) {
    // DOS texts end with 0x1A.
    isText = bytes.dropLast().allSatisfy(Self.isTextual) && bytes.last.map { Self.isTextual($0) || $0 == 0x1A } ?? true
    text = bytes.drop(while: Self.isSpace).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// True if the text begins like a playlist or XML, even if binary data follows.
  var hasSignature: Bool { begins("[playlist]") || begins("#extm3u") || begins("<?xml") || begins("<html") }

  func kind(mustDecide: Bool, contentType: String?, path: String?) -> ContentKind? {
    // Faulty servers send text before the XML declaration, such as a warning of PHP.
    if let place = declarationPlace, case .found(let name) = Self.rootName(text[place...]),
      let kind = Self.kind(ofRoot: name), kind != .refused(.html)
    {
      return kind
    }
    if begins("<") {
      switch Self.rootName(text[...]) {
      case .found(let name):
        if !mustDecide, name == "br" || name == "b" { return nil }
        if let kind = Self.kind(ofRoot: name) { return kind }
      case .cut: if !mustDecide { return nil }
      case .none: break
      }
    }
    if begins("[playlist]") { return .playlist(.pls) }
    if begins("[reference]") { return .playlist(.asx) }
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    if lines.contains(where: { $0.begins("#ext-x-") }) { return .hls }
    guard mustDecide else { return nil }
    if begins("#extm3u") { return .playlist(.m3u) }
    if lines.contains(where: Self.isFileKey) { return .playlist(.pls) }
    let first = lines.first { !$0.begins("#") && !$0.allSatisfy(Self.isSpace) }
    if let first, first.begins("http://") || first.begins("https://") { return .playlist(.m3u) }
    return Self.kind(hinted: [ContentHint(contentType: contentType), ContentHint(path: path)])
  }

  private static func kind(hinted hints: [ContentHint]) -> ContentKind {
    for hint in hints {
      switch hint {
      case .playlist(let kind): return .playlist(kind)
      case .refused(.html): return .refused(.html)
      case .refused(.wma): return .playlist(.asx)
      default: continue
      }
    }
    return .unknown
  }

  /// The index of an XML declaration after other text; nil without one, and in an HTML page.
  private var declarationPlace: Int? {
    guard !begins("<?xml"), !begins("<html"), !begins("<!doctype") else { return nil }
    return text.indices.first { text[$0] == UInt8(ascii: "<") && text[$0...].begins("<?xml") }
  }

  private enum Root {
    case found(String)
    case cut
    case none
  }

  /// Returns the name of the first XML or HTML element, without prefix. An HTML document type returns "html".
  private static func rootName(_ text: ArraySlice<UInt8>) -> Root {
    var rest = text
    while true {
      rest = rest.drop(while: isSpace)
      guard !rest.isEmpty else { return .cut }
      guard rest.first == UInt8(ascii: "<") else { return .none }
      let end: String
      if rest.begins("<!doctype") {
        if rest.dropFirst(9).drop(while: isSpace).begins("html") { return .found("html") }
        let isPlain = rest.prefix { $0 != UInt8(ascii: "[") }.contains(UInt8(ascii: ">"))
        end = isPlain ? ">" : "]>"
      } else if rest.begins("<?") {
        end = "?>"
      } else if rest.begins("<!--") {
        end = "-->"
      } else {
        break
      }
      guard let after = rest.after(end) else { return .cut }
      rest = after
    }
    let name = rest.dropFirst().prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    guard name.endIndex < rest.endIndex else { return .cut }
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return .found(String(decoding: local, as: UTF8.self))
  }

  private static func kind(ofRoot name: String) -> ContentKind? {
    switch name {
    case "playlist": .playlist(.xspf)
    case "asx": .playlist(.asx)
    case "opml": .playlist(.opml)
    case "mpd": .refused(.dash)
    case "rss", "feed", "rdf": .playlist(.feed)
    case "html", "head", "body", "title", "meta", "link", "script", "style", "base", "div", "p", "h1", "h2", "center",
      "table", "a", "br", "font", "form", "iframe", "noscript", "pre", "b", "span", "frameset":
      .refused(.html)
    default: nil
    }
  }

  private static func isFileKey(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.drop(while: isSpace)
    guard line.begins("file") else { return false }
    let digits = line.dropFirst(4).prefix { (0x30...0x39).contains($0) }
    return !digits.isEmpty && line[digits.endIndex...].drop(while: isSpace).first == UInt8(ascii: "=")
  }

  private func begins(_ prefix: String) -> Bool { text[...].begins(prefix) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isTextual(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || isSpace(byte) || byte == 0x1B }
}

extension ArraySlice<UInt8> {
  fileprivate func begins(_ prefix: String) -> Bool { starts(with: prefix.utf8) }

  fileprivate func after(_ end: String) -> ArraySlice<UInt8>? {
    let end = Array(end.utf8)
    for index in indices where self[index...].starts(with: end) { return self[(index + end.count)...] }
    return nil
  }
}
