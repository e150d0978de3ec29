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

  /// Reads the options of an address. A file's address has none, because its name may contain "|" and "#".
  public init(_ written: StationAddress) {
    let text = written.unredacted
    guard WebAddress.scheme(of: String(StationAddress.trimmed(text))) != "file" else {
      address = written
      return
    }
    var place = Substring(text)
    let bar = place.utf8[Self.firstPlace(in: text)...].indices.first {
      place.utf8[$0] == UInt8(ascii: "|") && Self.isList(place[$0...].dropFirst())
    }
    var options: Substring = ""
    if let bar {
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
    for option in Self.pairs(options).prefix(Self.maxCount) { add(option.name, option.value) }
    read(fragment)
  }

  /// True without used and ignored options.
  public var isEmpty: Bool { userAgent == nil && headers.isEmpty && encoding == nil && ignored.isEmpty }

  /// Returns the first place of options: after the host, because a password may contain "|".
  private static func firstPlace(in text: String) -> String.Index {
    let slashes = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let host = text.utf8[slashes...].prefix { !"/?#".utf8.contains($0) }
    return host.contains(UInt8(ascii: "@")) ? host.endIndex : slashes
  }

  private static func isList(_ text: Substring) -> Bool {
    let pairs = pairs(text)
    return !pairs.isEmpty && pairs.allSatisfy { !$0.name.isEmpty && $0.name.utf8.allSatisfy(isNameByte) }
  }

  private static func pairs(_ text: Substring) -> [(name: Substring, value: Substring)] {
    text.utf8.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "|") }.map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      // A part without "=" has no valid name.
      guard name.endIndex < pair.endIndex else { return ("", Substring(pair)) }
      return (Substring(name), Substring(pair[name.endIndex...].dropFirst()))
    }
  }

  /// True for a byte of a header's name.
  private static func isNameByte(_ byte: UInt8) -> Bool { WebAddress.isUnreserved(byte) && byte != UInt8(ascii: "~") }

  private mutating func add(_ name: Substring, _ value: Substring) {
    let name = name.lowercased()
    let value = WebAddress.percentDecoded(value.utf8)
    let isFit =
      !value.isEmpty && value.utf8.count <= Self.maxValueLength && value.unicodeScalars.allSatisfy { !$0.isUnshowable }
    switch name {
    case "user-agent" where isFit && userAgent == nil: userAgent = value
    case "referer" where isFit, "referrer" where isFit: headers.append("Referer: \(value)")
    case "origin" where isFit: headers.append("Origin: \(value)")
    default: if name.utf8.count <= 40, !ignored.contains(name) { ignored.append(name) }
    }
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
