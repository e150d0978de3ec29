/// Decodes text whose encoding is not stated.
public enum MetadataText {
  /// Decodes UTF-16 if a byte order mark is present, otherwise UTF-8 if valid, otherwise windows-1252.
  public static func decode(_ bytes: Span<UInt8>) -> String {
    if bytes.count >= 2 {
      if bytes[0] == 0xFF, bytes[1] == 0xFE { return utf16(bytes, lowByte: 0) }
      if bytes[0] == 0xFE, bytes[1] == 0xFF { return utf16(bytes, lowByte: 1) }
    }
    if let valid = try? UTF8Span(validating: bytes) { return String(copying: valid) }
    return windows1252(bytes)
  }

  private static func utf16(_ bytes: Span<UInt8>, lowByte: Int) -> String {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + lowByte]) | UInt16(bytes[$0 + 1 - lowByte]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func windows1252(_ bytes: Span<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for index in bytes.indices {
      text.append(Unicode.Scalar(windows1252(bytes[index])) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// Returns the character of a windows-1252 byte as a UTF-16 code unit.
  public static func windows1252(_ byte: UInt8) -> UInt16 {
    (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : UInt16(byte)
  }

  /// Characters of windows-1252 at the C1 controls; its five undefined bytes become U+FFFD.
  private static let upperControls: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
    0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}
