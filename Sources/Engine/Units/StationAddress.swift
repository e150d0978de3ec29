/// An address as a person, playlist or server wrote it.
///
/// Every printed form shows scheme, host, port and path, and the query if no parameter is a secret by its name. User,
/// password and fragment are never shown.
public struct StationAddress: Hashable, Sendable {
  /// The complete address with its secrets, for transfers, stored files and exports. Never log or display it.
  public let unredacted: String

  /// Creates an address from text, which need not be valid.
  public init(_ text: String) { unredacted = text }

  /// The length of the complete address in bytes.
  public var byteCount: Int { unredacted.utf8.count }

  /// The address without user, password, fragment and a query with a secret; only its scheme and "…" if malformed.
  public var withoutSecrets: StationAddress { StationAddress(shown) }

  /// True if the address has a user, a password, or a query with a secret, or is malformed.
  public var hasSecrets: Bool {
    guard let parts = Parts(unredacted) else { return true }
    return parts.hasUser || parts.hasSecretQuery
  }

  /// Returns true if a query parameter, "key=value", is a secret by its name.
  public static func isSecret(parameter: String) -> Bool {
    AddressQuery(parameter.unicodeScalars[...]).hasSecrets
  }

  /// True if the address is malformed: any part may be a password, and only the scheme is shown.
  public var isDoubtful: Bool { Parts(unredacted) == nil }

  /// Redacts each address in a text from outside, such as a server's message.
  public static func redacting(_ text: String) -> String {
    // Most texts have no address, and comparing bytes is much faster than comparing scalars.
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    var (shown, word) = ("", String.UnicodeScalarView())
    for scalar in text.unicodeScalars {
      guard scalar == " " || scalar == "\n" else {
        word.append(scalar)
        continue
      }
      shown += redacting(word: word)
      shown.unicodeScalars.append(scalar)
      word = String.UnicodeScalarView()
    }
    return shown + redacting(word: word)
  }

  /// Redacts one word. The word may contain several addresses, or one address without scheme or host.
  private static func redacting(word: String.UnicodeScalarView) -> String {
    let starts = word.indices.filter { word[$0...].starts(with: "://".unicodeScalars) }.map { mark in
      word[..<mark].lastIndex { !Parts.isScheme($0) }.map { word.index(after: $0) } ?? word.startIndex
    }
    guard let first = starts.first else { return withoutSecretQuery(word) }
    let ends = starts.dropFirst() + [word.endIndex]
    return withoutSecretQuery(String.UnicodeScalarView(word[..<first]))
      + zip(starts, ends).map { StationAddress(String(word[$0..<$1])).description }.joined()
  }

  /// Redacts a word without "://". A "?" after a "/" starts a query; "//user@host" is a reference without a scheme.
  private static func withoutSecretQuery(_ word: String.UnicodeScalarView) -> String {
    guard let slash = word.firstIndex(of: "/") else { return String(word) }
    let start = word.indices.first { word[$0...].starts(with: "//".unicodeScalars) } ?? word.startIndex
    if [word[start...], word[...]].contains(where: Parts.mayHoldUser) {
      return StationAddress(String(word)).description
    }
    guard let mark = word[slash...].firstIndex(of: "?"),
      word.index(after: mark) < word.endIndex, AddressQuery(word[word.index(after: mark)...]).hasSecrets
    else { return String(word) }
    return String(word[..<mark])
  }

  private var shown: String { Parts(unredacted)?.shown ?? (Parts.scheme(of: unredacted) + "…") }

  /// Maximum length in sentences and notices, in bytes of UTF-8.
  private static let maxShown = 500
}

extension StationAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Scheme, host, port, path, and a query without secrets; only the scheme and "…" if malformed.
  ///
  /// A longer address is cut to at most 500 bytes, with "…" at the end.
  public var description: String {
    let text = shown
    guard text.utf8.count > Self.maxShown else { return text }
    var (cut, room) = (String.UnicodeScalarView(), Self.maxShown)
    for scalar in text.unicodeScalars {
      room -= UTF8.width(scalar)
      if room < 0 { break }
      cut.append(scalar)
    }
    return String(cut) + "…"
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// Without children, so that `dump` shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StationAddress {
  /// Returns a text without the white space, control characters and byte order marks around it.
  package static func trimmed(_ text: String) -> Substring.UnicodeScalarView {
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0xFEFF }
    let start = text.unicodeScalars.drop(while: isSpace)
    return start[..<(start.lastIndex { !isSpace($0) }.map { start.index(after: $0) } ?? start.startIndex)]
  }
}

extension StationAddress: ExpressibleByStringLiteral {
  /// Creates an address from a constant.
  public init(stringLiteral text: String) { self.init(text) }
}

/// The parts of an address (RFC 3986, 3), by scalars: a delimiter with a combining character is another `Character`.
private struct Parts {
  let shown: String
  let hasUser: Bool
  let hasSecretQuery: Bool

  /// Parses an address; nil if malformed: any part may then be a password.
  init?(_ text: String) {
    let all = StationAddress.trimmed(text)
    let scheme = Self.scheme(in: all)
    var rest = all[(scheme?.endIndex ?? all.startIndex)...]
    // libcurl accepts "http:a" and "http:///a" too.
    let slashes = rest.prefix(3).prefix { $0 == "/" }.count
    let isFile = scheme.map { String($0).lowercased() } == "file:"
    // Two slashes precede the host in a file's address and in a reference without a scheme.
    let isPath = isFile ? slashes != 2 : scheme == nil && slashes == 1
    guard !(isPath && slashes == 0) else { return nil }
    if !isPath { rest = rest.dropFirst(slashes) }
    let authority = isPath ? rest[..<rest.startIndex] : rest.prefix { !"/?#".unicodeScalars.contains($0) }
    let user = authority.lastIndex(of: "@")
    let place = user.map { authority[authority.index(after: $0)...] } ?? authority
    guard isPath || Self.isPlace(place) else { return nil }
    let tail = rest[authority.endIndex...]
    // Other players write options after "|", which may be secrets too.
    let path = tail.prefix { $0 != "?" && $0 != "#" && $0 != "|" }
    // After a damaged scheme, as in "htp:/user:password@host", the port is empty or the path starts with two slashes. A
    // password may contain "?".
    let isCut = scheme == nil || place.last == ":" || path.starts(with: "//".unicodeScalars)
    let isDoubtful = place.last == ":" && tail.contains("@") || Self.mayHoldUser(isCut ? tail : path)
    guard isFile || !isDoubtful else { return nil }
    hasUser = user != nil
    let query = tail[path.endIndex...].prefix { $0 != "#" }
    hasSecretQuery = query.contains("|") || AddressQuery(query.dropFirst()).hasSecrets
    var view = String.UnicodeScalarView(all[..<authority.startIndex])
    view += place
    view += path
    if !hasSecretQuery { view += query }
    shown = String(String.UnicodeScalarView(view.filter { !$0.isUnshowable }))
  }

  /// Returns the scheme with its delimiter, such as "http://"; empty without a scheme.
  static func scheme(of text: String) -> String {
    scheme(in: StationAddress.trimmed(text)).map { String($0) + "//" } ?? ""
  }

  static func isScheme(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar))
  }

  /// Returns true if the path may contain a user and a password after a damaged scheme: "http//user:password@host",
  /// "http/user:password@host".
  static func mayHoldUser(_ path: Substring.UnicodeScalarView) -> Bool {
    let marks = path.indices.filter { path[$0...].starts(with: "//".unicodeScalars) }
    if let mark = marks.first(where: { path[..<$0].last != ":" }), path[mark...].contains("@") { return true }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.indices.contains { index in
      guard let mark = segments[index].lastIndex(of: "@") else { return false }
      return segments[index][..<mark].contains(":") || index > 1 && segments[index - 1].isEmpty
    }
  }

  /// Returns the scheme with ":"; nil for "radio.example:8000". An unknown scheme needs "//".
  private static func scheme(in text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    guard let colon = text.firstIndex(of: ":"), text[..<colon].first?.properties.isAlphabetic == true,
      text[..<colon].allSatisfy(isScheme)
    else { return nil }
    let isKnown = ["http", "https", "file"].contains(String(text[..<colon]).lowercased())
    return isKnown || text[colon...].starts(with: "://".unicodeScalars) ? text[...colon] : nil
  }

  private static func isPlace(_ place: Substring.UnicodeScalarView) -> Bool {
    var host = place
    let end = place.first == "[" ? place.firstIndex(of: "]") : place.startIndex
    guard let end else { return false }
    if let colon = place[end...].lastIndex(of: ":") {
      guard place[colon...].dropFirst().allSatisfy({ "0123456789".unicodeScalars.contains($0) }) else { return false }
      host = place[..<colon]
    }
    if place.first == "[" {
      return host.last == "]" && host.dropFirst().dropLast().allSatisfy { isScheme($0) || $0 == ":" || $0 == "%" }
    }
    return !host.isEmpty
      && host.allSatisfy { isScheme($0) && $0 != "+" || $0 == "_" || $0 == "~" || $0.value >= 0x80 && !$0.isUnshowable }
  }
}

extension Unicode.Scalar {
  /// True for control characters, line breaks, the byte order mark, and direction marks (Unicode, UAX #9).
  public var isUnshowable: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
