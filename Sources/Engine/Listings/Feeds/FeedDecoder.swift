import Framing

/// Decodes a document into UTF-8, byte by byte, and drops characters that XML forbids.
///
/// The encoding comes from a byte order mark, otherwise from zeros (UTF-16), otherwise from the XML declaration,
/// otherwise from the header. Valid UTF-8 has priority over a declaration. The default is UTF-8, with invalid bytes
/// read as windows-1252.
struct FeedDecoder {
  private enum Encoding {
    case utf8
    case windows1252
    case utf16(isBigEndian: Bool)
    case converted(TextConverter)
    /// The declared encoding, unless the first other characters than ASCII are valid UTF-8.
    indirect case doubtful(Encoding)
  }

  /// Maximum number of bytes, from the first other character than ASCII, that must be valid UTF-8.
  private static let maxSampleLength = 16_384
  /// Number of bytes converted at a time.
  private static let partLength = 1_024

  private let fallback: String?
  private let contentType: String?
  private var encoding: Encoding?
  /// The bytes received before the encoding was known.
  private var head: [UInt8] = []
  private var pending: [UInt8] = []
  private var highSurrogate: UInt16?
  /// The declared encoding if unknown, so that the text is read as windows-1252.
  private(set) var unknownName: String?

  /// `fallback`: encoding of a document without a declaration; nil for that of the header field `contentType`, or
  /// UTF-8.
  init(fallback: String? = nil, contentType: String? = nil) {
    (self.fallback, self.contentType) = (fallback, contentType)
  }

  mutating func decode(_ byte: UInt8, to text: inout [UInt8]) {
    switch encoding {
    case .utf8: decodeUtf8(byte, &text)
    case .windows1252: Self.append(MetadataText.windows1252(byte), to: &text)
    case .utf16(let isBigEndian): decodeUtf16(byte, isBigEndian: isBigEndian, &text)
    case .converted(let converter):
      head.append(byte)
      if head.count >= Self.partLength { convert(by: converter, &text) }
    case .doubtful(let declared):
      guard byte >= 0x80 || !head.isEmpty else { return Self.append(UInt16(byte), to: &text) }
      head.append(byte)
      if head.count >= Self.maxSampleLength { judge(declared, isCut: true, &text) }
    case nil:
      head.append(byte)
      if head.count >= DeclaredEncoding.maxHeadLength || !isHeadOpen { settle(&text) }
    }
  }

  mutating func finish(to text: inout [UInt8]) {
    if encoding == nil { settle(&text) }
    if case .doubtful(let declared) = encoding { judge(declared, isCut: false, &text) }
    if case .converted(let converter) = encoding { convert(by: converter, &text) }
    if !pending.isEmpty { flush(&text) }
  }

  // MARK: Detecting the encoding

  /// True if more bytes are needed to detect the encoding.
  private var isHeadOpen: Bool {
    guard head.count >= 4 else { return true }
    guard Self.marked(head) == nil else { return false }
    let ink = head.drop { $0 <= 0x20 }
    if ink.count < 8 { return true }
    guard !ink.starts(with: "<?xml".utf8) else { return !ink.contains(UInt8(ascii: ">")) }
    guard DeclaredEncoding.mayPrecedeXml(ink), head.last == UInt8(ascii: ">") else {
      return DeclaredEncoding.mayPrecedeXml(ink)
    }
    return DeclaredEncoding.xmlStart(in: head) == nil
  }

  /// Drops text before the XML declaration, except line ends.
  private mutating func settle(_ text: inout [UInt8]) {
    var rest = head[...]
    if let (marked, length) = Self.marked(head) {
      encoding = marked
      rest = rest.dropFirst(length)
    } else {
      encoding = selectEncoding()
      if let start = DeclaredEncoding.xmlStart(in: head) {
        rest = head[start...]
        text += head[..<start].filter { $0 == UInt8(ascii: "\n") }
      }
    }
    head = []
    for byte in rest { decode(byte, to: &text) }
  }

  private mutating func selectEncoding() -> Encoding {
    let name = DeclaredEncoding.xmlName(in: head)
    if let declared = name.flatMap({ DeclaredEncoding($0) }) ?? (name == nil ? sentEncoding : nil) {
      return switch declared {
      case .utf8: .utf8
      case .windows1252: .doubtful(.windows1252)
      case .other(let converter, hasShifts: true): .converted(converter)
      case .other(let converter, _): .doubtful(.converted(converter))
      }
    }
    if let fallback, let converter = TextConverter(fallback) { return .converted(converter) }
    guard let name else { return .utf8 }
    unknownName = name
    return .doubtful(.windows1252)
  }

  /// The encoding of the header field; nil if useless. Many servers send ISO-8859-1 with every text, and the default
  /// decodes that.
  private var sentEncoding: DeclaredEncoding? {
    guard fallback == nil, let name = DeclaredEncoding.sentName(in: contentType) else { return nil }
    let sent = DeclaredEncoding(name)
    if case .other? = sent { return sent }
    return nil
  }

  /// Selects UTF-8 if the sample is valid, else the declared encoding. `isCut`: true if the sample may end within a
  /// character.
  private mutating func judge(_ declared: Encoding, isCut: Bool, _ text: inout [UInt8]) {
    let isUtf8 = (0...(isCut ? 3 : 0)).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    encoding = isUtf8 ? .utf8 : declared
    if isUtf8 { unknownName = nil }
    let sample = head
    head = []
    for byte in sample { decode(byte, to: &text) }
  }

  private mutating func convert(by converter: TextConverter, _ text: inout [UInt8]) {
    for byte in converter.utf8(part: head) { decodeUtf8(byte, &text) }
    head.removeAll(keepingCapacity: true)
  }

  /// Returns the encoding from a byte order mark or from zeros, and the mark's length in bytes.
  private static func marked(_ head: [UInt8]) -> (Encoding, length: Int)? {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    switch head.prefix(4).map({ $0 == 0 }) {
    case [false, true, false, true]: return (.utf16(isBigEndian: false), 0)
    case [true, false, true, false]: return (.utf16(isBigEndian: true), 0)
    default: return nil
    }
  }

  // MARK: Characters

  private mutating func decodeUtf8(_ byte: UInt8, _ text: inout [UInt8]) {
    if pending.isEmpty {
      switch byte {
      case 0x20..<0x80: text.append(byte)
      case 0x00..<0x20: Self.append(UInt16(byte), to: &text)
      case 0xC2..<0xF5: pending.append(byte)
      default: Self.append(MetadataText.windows1252(byte), to: &text)
      }
      return
    }
    guard 0x80..<0xC0 ~= byte else {
      flush(&text)
      return decodeUtf8(byte, &text)
    }
    pending.append(byte)
    guard pending.count == Self.width(pending[0]) else { return }
    if let scalar = String(validating: pending, as: UTF8.self)?.unicodeScalars.first {
      Self.append(scalar, to: &text)
      pending.removeAll(keepingCapacity: true)
    } else {
      flush(&text)
    }
  }

  private static func width(_ first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

  /// Appends the pending bytes as windows-1252, since they are not valid UTF-8.
  private mutating func flush(_ text: inout [UInt8]) {
    for byte in pending { Self.append(MetadataText.windows1252(byte), to: &text) }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func decodeUtf16(_ byte: UInt8, isBigEndian: Bool, _ text: inout [UInt8]) {
    pending.append(byte)
    guard pending.count == 2 else { return }
    let unit = UInt16(pending[isBigEndian ? 0 : 1]) << 8 | UInt16(pending[isBigEndian ? 1 : 0])
    pending.removeAll(keepingCapacity: true)
    let high = highSurrogate
    highSurrogate = nil
    switch unit {
    case 0xD800..<0xDC00: highSurrogate = unit
    case 0xDC00..<0xE000:
      guard let high, let scalar = Unicode.Scalar(0x10000 + UInt32(high & 0x3FF) << 10 + UInt32(unit & 0x3FF))
      else { return }
      Self.append(scalar, to: &text)
    default: Self.append(unit, to: &text)
    }
  }

  private static func append(_ unit: UInt16, to text: inout [UInt8]) {
    if let scalar = Unicode.Scalar(unit) { append(scalar, to: &text) }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    guard scalar.isXml else { return }
    if scalar.isASCII { text.append(UInt8(scalar.value)) } else { text += UTF8.encode(scalar) ?? .init() }
  }
}

extension Unicode.Scalar {
  /// True if XML 1.0 allows the character (section 2.2).
  var isXml: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: true
    default: false
    }
  }
}
