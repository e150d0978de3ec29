import Units

/// Options that other players write into an address: Kodi "|User-Agent=…&Referer=…", MPD "#charset=…". The address that
/// is sent to the server never contains options.
public struct AddressOptions: Hashable, Sendable {
  /// The `User-Agent`; nil if absent.
  public private(set) var userAgent: String?
  /// The headers `Referer` and `Origin`, each "Name: value".
  public private(set) var headers: [String] = []
  /// The encoding of titles, a name for iconv(3); nil if absent.
  public private(set) var encoding: String?
  /// The station's name in the fragment, in plain text; nil if absent.
  public private(set) var name: String?
  /// Names of options that Bakelite ignores, in lower case, such as "cookie": a list may not set all headers.
  public private(set) var ignored: [String] = []
  /// The address without options and fragment.
  public let address: StationAddress

  /// Maximum length of a value, in bytes.
  private static let maxValueLength = 512
  private static let maxCount = 16

  /// Reads the options of an address; empty for a file, whose name may contain "|" and "#". `more`: further options, in
  /// the form "name=value&name=value". Linear in the input.
  public init(_ written: StationAddress, more: String = "") {
    let text = written.unredacted
    guard text.utf8.count <= WebAddress.maxByteCount, more.utf8.count <= WebAddress.maxByteCount,
      WebAddress.scheme(of: String(StationAddress.trimmed(text))) != "file"
    else {
      address = written
      return
    }
    var place = Substring(text)
    var options: Substring = ""
    if let bar = Self.bar(in: place[Self.firstPlace(in: text)...]) {
      options = place[bar...].dropFirst()
      place = place[..<bar]
    }
    // MPD reads the fragment of the whole address.
    let marked = [place, options].map { $0.utf8.firstIndex(of: UInt8(ascii: "#")) }
    var fragment: Substring = ""
    if let mark = marked[0] {
      fragment = place[mark...].dropFirst()
      place = place[..<mark]
    } else if let mark = marked[1] {
      fragment = options[mark...].dropFirst()
      options = options[..<mark]
    }
    address = StationAddress(String(place))
    for part in (Self.parts(options) + Self.parts(more[...])).prefix(Self.maxCount) { add(part) }
    read(fragment)
  }

  package var withoutHeaders: AddressOptions {
    var options = self
    options.headers = []
    return options
  }

  /// True without used and ignored options.
  public var isEmpty: Bool { userAgent == nil && headers.isEmpty && encoding == nil && ignored.isEmpty }

  /// Returns the first place of options: after the host, because a password may contain "|".
  private static func firstPlace(in text: String) -> String.Index {
    var rest = text.utf8[...]
    if WebAddress.scheme(of: String(StationAddress.trimmed(text))) != nil {
      rest = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    }
    rest = rest.drop { $0 == UInt8(ascii: "/") }
    let host = rest.prefix { !"/?#".utf8.contains($0) }
    return host.contains(UInt8(ascii: "@")) ? host.endIndex : rest.startIndex
  }

  /// Returns the first "|" before a row of options that reaches the end; nil without options.
  private static func bar(in text: Substring) -> Substring.Index? {
    var (found, end): (Substring.Index?, Substring.Index) = (nil, text.endIndex)
    for place in text.utf8.indices.reversed() where isDelimiter(text.utf8[place]) {
      guard isOption(text[place..<end].dropFirst()) else { break }
      if text.utf8[place] == UInt8(ascii: "|") { found = place }
      end = place
    }
    return found
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "&") || byte == UInt8(ascii: "|") }

  private static func isOption(_ part: Substring) -> Bool {
    let name = part.utf8.prefix { $0 != UInt8(ascii: "=") }
    return !name.isEmpty && name.endIndex < part.endIndex && name.allSatisfy(isNameByte)
  }

  private static func parts(_ text: Substring) -> [Substring] {
    text.utf8.split(maxSplits: maxCount, whereSeparator: isDelimiter).map { Substring($0) }.filter(isOption)
  }

  /// True for a byte of a header's name.
  private static func isNameByte(_ byte: UInt8) -> Bool { WebAddress.isUnreserved(byte) && byte != UInt8(ascii: "~") }

  private mutating func add(_ part: Substring) {
    let key = part.utf8.prefix { $0 != UInt8(ascii: "=") }
    let name = Substring(key).lowercased()
    let value = WebAddress.percentDecoded(part.utf8[key.endIndex...].dropFirst())
    let isFit =
      !value.isEmpty && value.utf8.count <= Self.maxValueLength && value.unicodeScalars.allSatisfy { !$0.isUnshowable }
    switch name {
    case "user-agent" where isFit: userAgent = userAgent ?? value
    case "referer" where isFit, "referrer" where isFit: add(header: "Referer", value)
    case "origin" where isFit: add(header: "Origin", value)
    default: if name.utf8.count <= 40, !ignored.contains(name) { ignored.append(name) }
    }
  }

  private mutating func add(header name: String, _ value: String) {
    if !headers.contains(where: { $0.hasPrefix(name + ":") }) { headers.append("\(name): \(value)") }
  }

  private mutating func read(_ fragment: Substring) {
    let text = WebAddress.percentDecoded(fragment.utf8)
    guard text.lowercased().hasPrefix("charset=") else {
      let words = String(StationAddress.trimmed(text))
      if !words.isEmpty, words.utf8.count <= Self.maxValueLength { name = words }
      return
    }
    let charset = text.dropFirst("charset=".count)
    let isFit =
      (1...40).contains(charset.utf8.count)
      && charset.utf8.allSatisfy { WebAddress.isUnreserved($0) || $0 == UInt8(ascii: ":") }
    if isFit { encoding = String(charset) } else { ignored.append("charset") }
  }
}
