import Units

/// Parses response heads line by line: interim heads first, the final head last.
struct HeadReader {
  /// Maximum bytes and lines of all headers in a transfer.
  static var maxBytes: Int { 262_144 }
  static var maxLines: Int { 4096 }

  private(set) var head: HttpHead?

  var isFlooded: Bool { bytes > Self.maxBytes || lines > Self.maxLines }

  /// True if the response is neither interim nor a challenge, which libcurl may handle itself.
  var isSurelyFinal: Bool {
    guard let head else { return false }
    switch head.status {
    case _ where isAlias: return true
    case ..<200, 401, 407: return false
    default: return true
    }
  }

  var redirect: StationAddress? {
    guard let head, 300..<400 ~= head.status, !isAlias else { return nil }
    return head.location.flatMap { $0.byteCount == 0 ? nil : $0 }
  }

  /// True if the response has a length such as "10, 10", which libcurl understands as 10.
  private(set) var hasBadLength = false

  /// True if the response sets a cookie.
  private(set) var hasCookie = false

  mutating func beginResponse() {
    head = nil
    (hasCookie, hasBadLength) = (false, false)
    isOpen = false
    isAlias = false
    name = ""
  }

  private var bytes = 0
  private var lines = 0
  /// True after a head's first line, until its last.
  private(set) var isOpen = false
  /// True for a status line "ICY …", which libcurl always treats as 200.
  private var isAlias = false
  private var name = ""
  private var value: [UInt8] = []

  /// Parses one line of any length, with its line end. Returns true for the empty line that ends a head.
  mutating func parse(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes &+= line.count
    lines &+= 1
    guard !isFlooded else { return false }
    let text = line.trimmed
    if text.isEmpty {
      flush()
      isOpen = false
      return true
    }
    if let first = line.first, first == 0x20 || first == 0x09, !name.isEmpty {
      value += [0x20] + text.prefix(maxValueLength)
      value.removeLast(max(0, value.count - maxValueLength))
      return false
    }
    flush()
    if !isOpen {
      beginHead(text)
    } else if let colon = text.prefix(Self.maxNameLength).firstIndex(of: UInt8(ascii: ":")) {
      name = Self.text(UnsafeRawBufferPointer(rebasing: text[..<colon]).trimmed).lowercased()
      let rest = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed
      value = Array(rest.prefix(maxValueLength))
    }
    return false
  }

  private var maxValueLength: Int { name == "location" ? WebAddress.maxByteCount + 1 : Self.maxValueLength }

  /// Maximum number of bytes kept of a value, except for an address.
  private static var maxValueLength: Int { 1024 }

  /// Maximum length of a header name. Headers with longer names are ignored.
  private static var maxNameLength: Int { 64 }

  private mutating func beginHead(_ line: UnsafeRawBufferPointer) {
    isOpen = true
    let words = line.split(separator: 0x20, maxSplits: 2)
    let code = words.count > 1 ? HttpHead.count(Self.text(words[1])) : nil
    let status = code.flatMap { (100...999).contains($0) ? Int($0) : nil } ?? 200
    let reason = words.count > 2 ? Self.text(words[2].prefix(Self.maxNameLength)).lowercased() : ""
    let isFull = [401, 403].contains(status) && Self.fullReasons.contains { reason.contains($0) }
    head = HttpHead(status: isFull ? 503 : status, effectiveURL: "")
    isAlias = line.starts(with: "ICY ".utf8)
    head?.isIcy = isAlias
  }

  /// SHOUTcast refuses a listener above its limit with "ICY 401 Service Unavailable", others with similar words.
  private static let fullReasons = ["unavailable", "full", "too many", "limit"]

  private mutating func flush() {
    defer { name = "" }
    if name.isEmpty { return }
    if name == "set-cookie" { hasCookie = true }
    if name == "content-length", !value.allSatisfy({ (0x30...0x39).contains($0) }) { hasBadLength = true }
    defer { if head?.hasOtherLength == true { hasBadLength = true } }
    head?.store(name, name == "location" ? Self.address(value) : Self.text(value[...]))
  }

  /// Decodes an address. If the bytes are not UTF-8, those above 127 are percent-encoded.
  private static func address(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? bytes.reduce(into: "") { text, byte in
        text += byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
      }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }

  /// Decodes UTF-8, cut at a whole character, or else Latin-1.
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    var whole = Array(bytes)
    if whole.count >= maxValueLength {
      while let last = whole.last, last & 0xC0 == 0x80 { whole.removeLast() }
      if let last = whole.last, last >= 0xC0 { whole.removeLast() }
    }
    let latin1 = String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })
    let text = String(validating: whole, as: UTF8.self) ?? String(latin1)
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var trimmed: UnsafeRawBufferPointer {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return UnsafeRawBufferPointer(rebasing: self[..<0])
    }
    return UnsafeRawBufferPointer(rebasing: self[first...last])
  }
}
