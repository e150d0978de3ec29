import CCurl
import Units

/// A normalised address of a station (RFC 3986).
public struct WebAddress: Hashable, Sendable {
  /// `http`, `https` or `file`.
  public let scheme: String

  /// Host name in ASCII, IPv4 address, or IPv6 address in brackets; empty for a file.
  public let host: String

  /// Port in the address, otherwise the scheme's default port; 0 for a file.
  public let port: Int

  /// Percent-encoded path; starts with "/".
  public let path: String

  /// Percent-encoded query without "?"; nil if absent.
  public let query: String?

  /// Name and password in the address; nil if absent.
  public private(set) var credentials: Credentials?

  /// The normalised address without credentials and fragment.
  public let url: StationAddress

  /// Options that were written into the address; nil if absent.
  package private(set) var options: AddressOptions?

  /// True for a file of this machine.
  public var isFile: Bool { scheme == "file" }

  /// Parses a typed address. Surrounding space is ignored. The default scheme is http, and `icy` counts as http.
  ///
  /// - Throws: `badURL`, or `badScheme` for any other scheme except https, and file if allowed.
  public init(_ text: String, allowsFile: Bool = false) throws(NetworkError) {
    let text = String(StationAddress.trimmed(text))
    try self.init(UrlHandle(), setTo: Self.withScheme(text, allowsFile: allowsFile))
  }

  /// Parses an address from another source.
  ///
  /// - Throws: `badURL`, `badScheme`.
  public init(_ address: StationAddress, allowsFile: Bool = false) throws(NetworkError) {
    try self.init(address.unredacted, allowsFile: allowsFile)
  }

  /// Parses an address with options for other players, as people and lists write it.
  ///
  /// - Throws: `badURL`, `badScheme`.
  public init(written address: StationAddress, allowsFile: Bool = false) throws(NetworkError) {
    let options = AddressOptions(address)
    try self.init(options.address, allowsFile: allowsFile)
    if !options.isEmpty { self.options = options }
  }

  /// Creates the address of a file from its absolute path.
  ///
  /// - Throws: `badURL` if the path is not absolute.
  public init(filePath: String) throws(NetworkError) {
    guard filePath.hasPrefix("/") else { throw .badURL }
    try self.init(UrlHandle(), setTo: Self.fileURL(filePath))
  }

  /// Resolves a reference in a document at this address (RFC 3986, 5). Only a document in a local file may name local
  /// files. Credentials are kept only for the same scheme, host and port.
  ///
  /// - Throws: `badURL`, `badScheme`.
  public func resolve(_ reference: String) throws(NetworkError) -> WebAddress {
    let text = String(StationAddress.trimmed(reference))
    if Self.scheme(of: text) != nil { return try WebAddress(text, allowsFile: isFile) }
    let handle = try UrlHandle()
    try handle.set(CURLUPART_URL, to: url.unredacted)
    let segment = text.utf8.prefix { !"/?#".utf8.contains($0) }
    let hasColon = segment.contains(UInt8(ascii: ":"))
    let found = text.isEmpty ? self : try WebAddress(handle, setTo: hasColon ? "./" + text : text)
    let isHere = (found.scheme, found.host, found.port) == (scheme, host, port)
    return isHere && found.credentials == nil ? found.with(credentials) : found
  }

  func resolve(_ reference: StationAddress) throws(NetworkError) -> WebAddress { try resolve(reference.unredacted) }

  /// Resolves a reference with options for other players, as lists write it. `more`: options from elsewhere in the list
  /// (`AddressOptions`). A file has no options.
  ///
  /// - Throws: `badURL`, `badScheme`.
  package func resolve(written reference: String, more: String) throws(NetworkError) -> WebAddress {
    let scheme = Self.scheme(of: String(StationAddress.trimmed(reference)))
    guard scheme != "file", scheme != nil || !isFile else { return try resolve(reference) }
    let options = AddressOptions(StationAddress(reference), more: more)
    var address = try resolve(options.address.unredacted)
    if !options.isEmpty { address.options = options }
    return address
  }

  /// Appends query parameters: "key=value" in plain text.
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

  /// Last part of the path in plain text, such as "live.mp3"; empty if the path ends with "/".
  public var lastPathComponent: String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return Self.percentDecoded(path[start...].utf8)
  }

  /// Path in plain text, for `open(2)`.
  public var filePath: String { Self.percentDecoded(path.utf8[...]) }

  private init(_ handle: consuming UrlHandle, setTo text: String) throws(NetworkError) {
    guard text.utf8.count <= Self.maxByteCount else { throw .badURL }
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
    guard let url = handle.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT), url.utf8.count <= Self.maxByteCount else {
      throw .badURL
    }
    if scheme != "file" {
      // A host with "%33" would be another host when parsed again.
      try handle.set(CURLUPART_URL, to: url)
      guard handle.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT) == url else { throw .badURL }
    }
    self.scheme = scheme
    self.path = path.isEmpty ? "/" : path
    self.url = StationAddress(url)
    query = handle.get(CURLUPART_QUERY)
    host = scheme == "file" ? "" : handle.get(CURLUPART_HOST) ?? ""
    port = scheme == "file" ? 0 : handle.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
    // libcurl accepts "file:a" and "file:./", which would be relative to the working directory.
    guard scheme == "file" ? path.hasPrefix("/") : !host.isEmpty else { throw .badURL }
  }

  /// Adds the credentials of `asked`, whose redirects led to this address, if `mayShareSecrets` allows.
  package func withCredentials(from asked: WebAddress) -> WebAddress {
    credentials == nil && asked.mayShareSecrets(with: self) ? with(asked.credentials) : self
  }

  /// Adopts the options of the list that named this address, unless it has its own. Headers stay at the list's address,
  /// because they may be secrets.
  package func withOptions(from list: WebAddress) -> WebAddress {
    var address = self
    address.options = options ?? list.options?.withoutHeaders
    return address
  }

  private func with(_ credentials: Credentials?) -> WebAddress {
    var address = self
    address.credentials = credentials
    return address
  }
}

extension WebAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Address without user, password, and a query with a secret.
  public var description: String { url.description }

  /// Equals `description`.
  public var debugDescription: String { description }

  /// Empty, so that `dump` shows no further parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Parsing

extension WebAddress {
  static var maxByteCount: Int { 16_384 }

  /// Maximum length of a scheme in an error, which must also have room for the address.
  private static var maxSchemeLength: Int { 40 }

  /// Percent-encodes all bytes after the host except visible ASCII; libcurl would write lower-case digits. Works on
  /// bytes, like libcurl: in a `Character`, a delimiter may be combined with the next scalar.
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
    case .some(let other): throw .badScheme(String(other.prefix(Self.maxSchemeLength)))
    }
  }

  /// Returns the scheme in lower case; nil for "radio.example:8000", which lacks "//".
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon].lowercased()
    guard let first = name.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"),
      name.utf8.allSatisfy({ isUnreserved($0) || $0 == UInt8(ascii: "+") })
    else { return nil }
    return text.utf8[colon...].starts(with: "://".utf8) || ["http", "https", "file"].contains(name) ? name : nil
  }
}
