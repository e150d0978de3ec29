import CCurl
import Units

/// The address of a station, read as a person types it and put into its normal form (RFC 3986).
public struct WebAddress: Hashable, Sendable {
  /// `http`, `https` or `file`.
  public let scheme: String

  /// A name in ASCII, an IPv4 address, or an IPv6 address in brackets; empty for a file.
  public let host: String

  /// The port told, or else the scheme's own; 0 for a file.
  public let port: Int

  /// The path, percent-encoded, beginning with "/".
  public let path: String

  /// What follows "?", percent-encoded.
  public let query: String?

  /// The name and password that stood in the address.
  public private(set) var credentials: Credentials?

  /// The whole address in its normal form, without credentials and without fragment.
  public let url: StationAddress

  /// Whether it names a file of this machine.
  public var isFile: Bool { scheme == "file" }

  /// Reads what a person typed; without a scheme it is http, and space around it is nothing.
  ///
  /// - Throws: `badURL`; `badScheme` for every scheme but http and https, and file where it is not allowed.
  public init(_ text: String, allowsFile: Bool = false) throws(NetworkError) {
    let text = Self.trimmed(text)
    try self.init(UrlHandle(), setTo: Self.withScheme(text, allowsFile: allowsFile))
  }

  /// The same of an address that was taken from elsewhere.
  ///
  /// - Throws: As for a text.
  public init(_ address: StationAddress, allowsFile: Bool = false) throws(NetworkError) {
    try self.init(address.unredacted, allowsFile: allowsFile)
  }

  /// The address of the file at an absolute path.
  ///
  /// - Throws: `badURL` where the path is not absolute.
  public init(filePath: String) throws(NetworkError) {
    guard filePath.hasPrefix("/") else { throw .badURL }
    try self.init(UrlHandle(), setTo: Self.fileURL(filePath))
  }

  /// What `reference` means in a document of this address (RFC 3986, 5); only a document that is itself a file may name
  /// a file, and credentials stay with their host.
  ///
  /// - Throws: As for `init(_:allowsFile:)`.
  public func resolve(_ reference: String) throws(NetworkError) -> WebAddress {
    let text = Self.trimmed(reference)
    if Self.scheme(of: text) != nil { return try WebAddress(text, allowsFile: isFile) }
    let handle = try UrlHandle()
    try handle.set(CURLUPART_URL, to: url.unredacted)
    let segment = text.utf8.prefix { !"/?#".utf8.contains($0) }
    let hasColon = segment.contains(UInt8(ascii: ":"))
    let found = text.isEmpty ? self : try WebAddress(handle, setTo: hasColon ? "./" + text : text)
    let isHere = (found.scheme, found.host, found.port) == (scheme, host, port)
    return isHere && found.credentials == nil ? found.with(credentials) : found
  }

  /// The same of a reference that was taken from elsewhere.
  func resolve(_ reference: StationAddress) throws(NetworkError) -> WebAddress { try resolve(reference.unredacted) }

  /// The same address asking for more: pairs "key=value" in plain text.
  public func adding(query pairs: [String]) throws(NetworkError) -> WebAddress {
    if pairs.isEmpty { return self }
    let encoded = pairs.map { pair in
      let key = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(key.count + 1)
      return Self.percentEncoded(key) + (key.count < pair.count ? "=" + Self.percentEncoded(value) : "")
    }
    let longer = url.unredacted + (query == nil ? "?" : "&") + encoded.joined(separator: "&")
    return try WebAddress(longer, allowsFile: isFile).with(credentials)
  }

  /// The last part of the path in plain text, such as "live.mp3"; empty where the path ends in "/".
  public var lastPathComponent: String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return Self.percentDecoded(path[start...].utf8)
  }

  /// The path in plain text, as `open(2)` takes it.
  public var filePath: String { Self.percentDecoded(path.utf8[...]) }

  private init(_ handle: consuming UrlHandle, setTo text: String) throws(NetworkError) {
    guard text.utf8.count <= Self.longest else { throw .badURL }
    try handle.set(CURLUPART_URL, to: Self.encodingPath(of: text))
    try handle.normaliseHost()
    guard let scheme = handle.get(CURLUPART_SCHEME), let path = handle.get(CURLUPART_PATH) else { throw .badURL }
    credentials = handle.get(CURLUPART_USER).map { user in
      let password = handle.get(CURLUPART_PASSWORD) ?? ""
      return Credentials(
        name: Self.percentDecoded(user.utf8[...]), password: Self.percentDecoded(password.utf8[...]))
    }
    try handle.set(CURLUPART_USER, to: nil)
    try handle.set(CURLUPART_PASSWORD, to: nil)
    try handle.set(CURLUPART_FRAGMENT, to: nil)
    guard let url = handle.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT), url.utf8.count <= Self.longest else {
      throw .badURL
    }
    if scheme != "file" {
      // Where "%33" stands in a host, what is read a second time is another host.
      try handle.set(CURLUPART_URL, to: url)
      guard handle.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT) == url else { throw .badURL }
    }
    self.scheme = scheme
    self.path = path.isEmpty ? "/" : path
    self.url = StationAddress(url)
    query = handle.get(CURLUPART_QUERY)
    host = scheme == "file" ? "" : handle.get(CURLUPART_HOST) ?? ""
    port = scheme == "file" ? 0 : handle.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
    // libcurl lets "file:a" and "file:./" pass, which would be of the working directory.
    guard scheme == "file" ? path.hasPrefix("/") : !host.isEmpty else { throw .badURL }
  }

  /// The same with the credentials of the address that was asked for, whose redirects led here; they stay with their
  /// host, as a redirect's requests do.
  func reached(from asked: WebAddress) -> WebAddress {
    credentials == nil && asked.mayShareSecrets(with: self) ? with(asked.credentials) : self
  }

  private func with(_ credentials: Credentials?) -> WebAddress {
    var address = self
    address.credentials = credentials
    return address
  }
}

extension WebAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without user, password and query.
  public var description: String { url.description }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts, so that `dump` shows nothing more.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Reading what was typed

extension WebAddress {
  /// No address may be longer, in bytes.
  static var longest: Int { 16_384 }

  /// No more characters of a scheme go into an error: the address has to find room beside it.
  private static var longestScheme: Int { 40 }

  static func trimmed(_ text: String) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0xFEFF }
    let start = text.unicodeScalars.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...last])
  }

  /// `text` with all behind its host percent-encoded that is no visible ASCII; libcurl would do it in small letters.
  ///
  /// By bytes, as libcurl reads it: a combining character makes a delimiter part of another `Character`.
  private static func encodingPath(of text: String) -> String {
    var rest = text.utf8[...]
    if scheme(of: text) != nil { rest = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst() }
    if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2).drop { !"/?#".utf8.contains($0) } }
    return text[..<rest.startIndex] + percentEncoded(Substring(rest)) { $0 > 0x20 && $0 < 0x7F }
  }

  private static func withScheme(_ text: String, allowsFile: Bool) throws(NetworkError) -> String {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badURL }
    switch scheme(of: text) {
    case nil: return text.utf8.starts(with: "//".utf8) ? "http:" + text : "http://" + text
    case "http", "https": return text
    case "file" where allowsFile: return text
    case "icy": return "http" + text.dropFirst(3)
    case .some(let other): throw .badScheme(String(other.prefix(Self.longestScheme)))
    }
  }

  /// The scheme in small letters; "radio.example:8000" has none, since no "//" follows.
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon].lowercased()
    guard let first = name.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"),
      name.utf8.allSatisfy({ isUnreserved($0) || $0 == UInt8(ascii: "+") })
    else { return nil }
    return text.utf8[colon...].starts(with: "://".utf8) || ["http", "https", "file"].contains(name) ? name : nil
  }
}
