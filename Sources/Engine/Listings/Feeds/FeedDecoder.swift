import Framing

/// Decodes a document into UTF-8, byte by byte, and drops characters that XML forbids.
///
/// The encoding comes from a byte order mark, otherwise from zeros (UTF-16), otherwise from an XML declaration (ISO
/// 8859-1 or windows-1252). The default is UTF-8, with invalid bytes read as windows-1252.
struct FeedDecoder {
  private enum Encoding {
    case utf8
    case windows1252
    case utf16(isBigEndian: Bool)
  }

  /// Maximum number of bytes searched for the end of an XML declaration.
  private static let maxHeadLength = 512

  private var encoding: Encoding?
  /// The bytes received before the encoding was known.
  private var head: [UInt8] = []
  private var pending: [UInt8] = []
  private var highSurrogate: UInt16?

  /// `isUtf8`: true to decode UTF-8 and ignore byte order marks and declarations.
  init(isUtf8: Bool = false) { if isUtf8 { encoding = .utf8 } }

  mutating func decode(_ byte: UInt8, to text: inout [UInt8]) {
    switch encoding {
    case .utf8: decodeUtf8(byte, &text)
    case .windows1252: Self.append(MetadataText.windows1252(byte), to: &text)
    case .utf16(let isBigEndian): decodeUtf16(byte, isBigEndian: isBigEndian, &text)
    case nil:
      head.append(byte)
      if head.count >= Self.maxHeadLength || !isHeadOpen { settle(&text) }
    }
  }

  mutating func finish(to text: inout [UInt8]) {
    if encoding == nil { settle(&text) }
    if case .utf8 = encoding { flush(&text) }
  }

  // MARK: Detecting the encoding

  /// True if more bytes are needed to detect the encoding.
  private var isHeadOpen: Bool {
    guard head.count >= 4 else { return true }
    guard Self.marked(head) == nil else { return false }
    let ink = head.drop { $0 <= 0x20 }
    return "<?xml".utf8.starts(with: ink.prefix(5)) && !ink.contains(UInt8(ascii: ">"))
  }

  private mutating func settle(_ text: inout [UInt8]) {
    let (encoding, length) = Self.marked(head) ?? (Self.declared(head), 0)
    self.encoding = encoding
    let rest = head.dropFirst(length)
    head = []
    for byte in rest { decode(byte, to: &text) }
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

  private static func declared(_ head: [UInt8]) -> Encoding {
    let ink = head.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: ">") }
    guard ink.starts(with: "<?xml".utf8) else { return .utf8 }
    let declaration = String(decoding: ink.map(\.asciiLowercased), as: UTF8.self)
    let names = ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252"]
    let quoted = declaration.split { $0 == "\"" || $0 == "'" }
    return quoted.contains { names.contains(String($0)) } ? .windows1252 : .utf8
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
