import Units

/// The text format of saved data. The first line is the format's name, then follow lines of `key=value`. The last line
/// is the checksum of all lines before it.
enum CheckedText {
  static func text(_ format: String, _ lines: [String]) -> String {
    let body = ([format] + lines).joined(separator: "\n") + "\n"
    return body + "checksum=\(checksum(body.utf8))\n"
  }

  /// Parses a text in this format. Returns nil if the checksum is wrong, or if the text has more than `most` lines.
  static func pairs(_ bytes: [UInt8], _ format: String, most: Int) -> [(key: Substring, value: String)]? {
    guard let text = String(validating: bytes, as: UTF8.self), text.utf8.last == UInt8(ascii: "\n") else { return nil }
    var lines = text.utf8.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard lines.count <= most, lines.first == format[...], let last = lines.popLast(),
      last == "checksum=" + checksum(text.utf8.dropLast(last.utf8.count + 1))
    else { return nil }
    var pairs: [(key: Substring, value: String)] = []
    for line in lines.dropFirst() {
      guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      pairs.append((line[..<equals], String(line[line.utf8.index(after: equals)...])))
    }
    return pairs
  }

  /// Removes control characters, and cuts the value after 4,096 Unicode scalars.
  static func value(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(4_096)
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the address; nil if it is too long or has control characters. A cut address would be another address.
  static func value(_ address: StationAddress) -> String? {
    let text = address.unredacted
    return text.utf8.count <= maxAddressLength && !text.unicodeScalars.contains { $0.value < 0x20 } ? text : nil
  }

  /// Maximum length of an address in bytes.
  private static let maxAddressLength = 16_384

  /// CRC-32 (ISO 3309), eight digits.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let digits = String(~sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
