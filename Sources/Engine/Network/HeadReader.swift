import Units

/// Puts the heads of answers together, line by line, as they come: interim ones first, the final one last.
struct HeadReader {
  /// More bytes or lines of headers than these, over a whole transfer, are no answer of a station.
  static var mostBytes: Int { 262_144 }
  static var mostLines: Int { 4096 }

  /// The head being read; nil before a status line.
  private(set) var head: HttpHead?

  /// Whether the heads grew beyond all reason.
  var isFlooded: Bool { bytes > Self.mostBytes || lines > Self.mostLines }

  /// Whether what is read cannot be an interim answer or a challenge, which libcurl may answer itself.
  var isSurelyFinal: Bool {
    guard let head else { return false }
    switch head.status {
    case _ where isAlias: return true
    case ..<200, 401, 407: return false
    default: return true
    }
  }

  /// Where the answer redirects to; nil where it does not.
  var redirect: StationAddress? {
    guard let head, 300..<400 ~= head.status, !isAlias else { return nil }
    return head.location.flatMap { $0.byteCount == 0 ? nil : $0 }
  }

  /// The next answer comes; what was counted counts on.
  mutating func beginAnswer() {
    (head, isOpen, isAlias, name) = (nil, false, false, "")
  }

  private var bytes = 0
  private var lines = 0
  private var isOpen = false
  /// Whether the status line is "ICY …", which libcurl takes for 200 whatever it says.
  private var isAlias = false
  private var name = ""
  private var value: [UInt8] = []

  /// Takes one line with its end, of any length; true where the line is empty and so ends a head.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
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
      value += [0x20] + text.prefix(longestValue)
      value.removeLast(max(0, value.count - longestValue))
      return false
    }
    flush()
    if !isOpen {
      begin(text)
    } else if let colon = text.prefix(Self.longestName).firstIndex(of: UInt8(ascii: ":")) {
      name = Self.text(UnsafeRawBufferPointer(rebasing: text[..<colon]).trimmed).lowercased()
      let rest = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed
      value = Array(rest.prefix(longestValue))
    }
    return false
  }

  /// The bytes kept of the value that is read.
  private var longestValue: Int { name == "location" ? WebAddress.longest + 1 : Self.longestValue }

  /// The bytes kept of a value that is no address.
  private static var longestValue: Int { 1024 }

  /// A header with a longer name is none that a radio reads.
  private static var longestName: Int { 64 }

  private mutating func begin(_ line: UnsafeRawBufferPointer) {
    isOpen = true
    let words = line.split(separator: 0x20, maxSplits: 2)
    let code = words.count > 1 ? HttpHead.count(Self.text(words[1])) : nil
    head = HttpHead(status: code.flatMap { (100...999).contains($0) ? Int($0) : nil } ?? 200, effectiveURL: "")
    isAlias = line.starts(with: "ICY ".utf8)
    head?.isIcy = isAlias
  }

  private mutating func flush() {
    defer { name = "" }
    if name.isEmpty { return }
    head?.take(name, name == "location" ? Self.address(value) : Self.text(value[...]))
  }

  /// An address as its server means it: bytes that are no UTF-8 stay what they are.
  private static func address(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? bytes.reduce(into: "") { text, byte in
        text += byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
      }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }

  /// UTF-8 where the bytes are that, cut at a whole character; else Latin-1.
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    var whole = Array(bytes)
    if whole.count >= longestValue {
      while let last = whole.last, last & 0xC0 == 0x80 { whole.removeLast() }
      if let last = whole.last, last >= 0xC0 { whole.removeLast() }
    }
    let latin1 = String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })
    let text = String(validating: whole, as: UTF8.self) ?? String(latin1)
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

extension UnsafeRawBufferPointer {
  /// What is left without space and line ends at both ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return UnsafeRawBufferPointer(rebasing: self[..<0])
    }
    return UnsafeRawBufferPointer(rebasing: self[first...last])
  }
}
