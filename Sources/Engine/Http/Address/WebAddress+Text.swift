// Percent-encoding (RFC 3986, 2).

extension WebAddress {
  static func percentEncoded(
    _ text: some StringProtocol, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isKept(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  package static func fileURL(_ path: String) -> String {
    "file://" + percentEncoded(path) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// Decodes "%XX". A "%" without two hexadecimal digits is kept.
  static func percentDecoded(_ text: Substring.UTF8View) -> String {
    var decoded: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        decoded.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// True for a letter, a digit or one of "-._~" (RFC 3986, 2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "0"..."9", "a"..."z", "A"..."Z", "-", ".", "_", "~": true
    default: false
    }
  }
}
