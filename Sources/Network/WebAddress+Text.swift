// Percent-encoding (RFC 3986, 2), and what of an address may be shown.

extension WebAddress {
  /// The address as it may be shown or logged: no name, no password, and "…" for the value of every key of the query
  /// that sounds like a secret.
  public var redacted: String {
    guard let query else { return url }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
      let key = pair.prefix { $0 != "=" }
      let isSecret = Self.secretKeys.contains { key.lowercased().contains($0) }
      return isSecret && key.count < pair.count ? "\(key)=…" : String(pair)
    }
    return url.prefix { $0 != "?" } + "?" + pairs.joined(separator: "&")
  }

  /// `text` as it may be shown, even where it is no address; what is longer than 500 characters is cut.
  public static func redacting(_ text: String) -> String {
    do throws(NetworkError) {
      let shown = try WebAddress(text, allowsFile: true).redacted
      return shown.utf8.count > longestShown ? shown.prefix(longestShown) + "…" : shown
    } catch {
      // By scalars: a combining character makes "@" part of another `Character`.
      let plain = text.unicodeScalars.filter { !$0.isUnshowable }
      let at = plain.lastIndex(of: "@")
      let behindUser = at.map { plain[plain.index(after: $0)...] } ?? plain[...]
      return (at == nil ? "" : "…") + String(behindUser.prefix { $0 != "?" && $0 != "#" }.prefix(80))
    }
  }

  /// A sentence about an address has to stay readable, and to fit into a notice.
  private static let longestShown = 500

  private static var secretKeys: [String] {
    ["token", "key", "pass", "pwd", "auth", "secret", "sig", "session", "user"]
  }

  /// Every byte but those to keep as "%XX".
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

  /// The opposite; a "%" without two digits stands for itself.
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

  /// A letter, a digit or one of "-._~" (RFC 3986, 2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "0"..."9", "a"..."z", "A"..."Z", "-", ".", "_", "~": true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// A control character, or one that turns the direction of text (Unicode, UAX #9).
  var isUnshowable: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
