/// The query of an address (RFC 3986, 3.4).
struct AddressQuery {
  private let parameters: [[UInt8]]

  /// Parses a query without its "?". An address in a value has parameters too.
  init(_ text: Substring.UnicodeScalarView) {
    parameters = Self.decoded(Array(String(text).utf8)).split { "&;?".utf8.contains($0) }.map(Array.init)
  }

  /// True if a parameter's name means a secret, such as "token" or "user", or a value may contain a user. A long
  /// parameter without a name counts as a secret.
  var hasSecrets: Bool {
    let names = parameters.map { Self.letters(of: $0.prefix { $0 != UInt8(ascii: "=") }) }
    // A user with a password or token, as in Subsonic's API.
    if names.contains("u"), names.contains(where: ["p", "t"].contains) { return true }
    return zip(parameters, names).contains { parameter, name in
      let isNameless = parameter.count >= Self.minTokenLength && !parameter.contains(UInt8(ascii: "="))
      return isNameless || parameter.contains(UInt8(ascii: "@")) || Self.isSecret(name)
        || Self.contains(Self.letters(of: parameter[...]), "hmac")
    }
  }

  private static let minTokenLength = 16

  private static let whole: Set<String> = [
    "access", "gda", "jwt", "mail", "md5", "otp", "pin", "pw", "pwd", "sid", "sig", "sign", "ssid", "st", "tok", "uid",
    "usr",
  ]
  private static let starts = ["hdn", "pass", "user"]
  private static let ends = ["pass", "pwd", "sig", "sign", "user"]
  private static let parts = [
    "account", "bearer", "credential", "email", "hash", "hmac", "key", "license", "login", "passw", "secret", "sess",
    "signature", "ticket", "token",
  ]

  private static func isSecret(_ name: String) -> Bool {
    if whole.contains(name) || starts.contains(where: name.hasPrefix) || ends.contains(where: name.hasSuffix) {
      return true
    }
    // Excludes "author", but includes "authorization".
    if contains(name, "auth"), !contains(name, "author") || contains(name, "authori") { return true }
    return parts.contains { contains(name, $0) }
  }

  private static func contains(_ name: String, _ part: String) -> Bool {
    let bytes = name.utf8
    return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
  }

  /// Returns the ASCII letters in lower case, and the digits between them.
  private static func letters(of name: ArraySlice<UInt8>) -> String {
    let isLetter: (UInt8) -> Bool = { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let kept = name.filter { isLetter($0) || isDigit($0) }
    return String(decoding: kept.map { isLetter($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Decodes percent-encoding, also where it was applied twice.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var (bytes, rounds) = (bytes, 0)
    while bytes.contains(UInt8(ascii: "%")), rounds < 2 {
      bytes = decodedOnce(bytes)
      rounds += 1
    }
    return bytes
  }

  private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
    var (result, place): ([UInt8], Int) = ([], 0)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        place += 3
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }
}
