import Units

/// A station of the directory. Texts have no control or direction characters, and bounded lengths.
public struct DirectoryEntry: Hashable, Sendable {
  /// The name, 1 to 200 bytes.
  public let name: String
  /// The stream address: HTTP or HTTPS, without a user, at most 2,048 bytes. Empty if the directory file has an invalid
  /// address; then the station cannot be played.
  public let url: StationAddress
  /// The homepage, HTTP or HTTPS; empty if unknown.
  public let homepage: String
  /// The tags, at most 16, without repeats.
  public let tags: [String]
  /// The country's two capital letters (ISO 3166-1); empty if unknown.
  public let countryCode: String
  /// The country's usual English name if the code is known; empty if unknown.
  public let country: String
  /// The state or region of the country; often empty.
  public let state: String
  /// The English names of the languages, at most 8.
  public let languages: [String]
  /// The codec, such as "MP3" or "AAC+"; empty if unknown.
  public let codec: String
  /// Bit rate in kbit/s; 0 if unknown.
  public let bitRate: Int
  /// Number of listeners' votes.
  public let votes: Int
  /// True if the station responded to the directory's last check.
  public let isAlive: Bool
  /// True if the address leads to an HLS playlist.
  public let isHls: Bool
  /// The station's id in the directory; nil if the list had no id.
  public let uuid: StationUuid?
}

extension DirectoryEntry {
  static let maxNameLength = 200
  static let maxUrlLength = 2_048
  static let maxTags = 16
  static let maxLanguages = 8
  /// Maximum length of a country, state, tag or language in bytes.
  static let maxWordLength = 48

  /// Checks a row; nil if it has no name or no playable address.
  public init?(_ row: DirectoryRow) {
    let name = row[.name].cleaned(most: Self.maxNameLength)
    let urls = [row[.url], row[.resolvedUrl]].lazy.compactMap(Self.address)
    guard !name.isEmpty, let url = urls.first else { return nil }
    let code = row[.countryCode].cleaned(most: 8).uppercased()
    let isCode = CountryName.isCode(code)
    self.name = name
    self.url = StationAddress(url)
    homepage = Self.address(row[.homepage]) ?? ""
    tags = Self.list(row[.tags], most: Self.maxTags)
    countryCode = isCode ? code : ""
    let named = isCode ? CountryName.named(code) : nil
    let told = row[.country].cleaned(most: Self.maxWordLength)
    country = named ?? (told.isEmpty ? countryCode : told)
    state = row[.state].cleaned(most: Self.maxWordLength)
    languages = Self.list(row[.language], most: Self.maxLanguages)
    let codec = row[.codec].cleaned(most: 16)
    self.codec = codec.uppercased() == "UNKNOWN" ? "" : codec
    bitRate = Self.number(row[.bitRate], most: 65_535)
    votes = Self.number(row[.votes], most: 0xFFFF_FFFF)
    isHls = Self.flag(row[.isHls])
    isAlive = Self.flag(row[.isAlive])
    uuid = StationUuid(row[.uuid])
  }

  /// Returns an HTTP or HTTPS address with its scheme in lower case; nil for any other address. Also nil for an address
  /// with a user, because the request would send a stranger's credentials.
  static func address(_ text: String) -> String? {
    let text = text.trimmed
    guard (8...maxUrlLength).contains(text.utf8.count) else { return nil }
    let scheme = text.prefix { $0 != ":" }
    guard ["http", "https"].contains(scheme.lowercased()), text.dropFirst(scheme.count).hasPrefix("://") else {
      return nil
    }
    let rest = text.dropFirst(scheme.count + 3)
    guard let first = rest.utf8.first, first != UInt8(ascii: "/"),
      !rest.utf8.prefix(while: { !"/?#\\".utf8.contains($0) }).contains(UInt8(ascii: "@")),
      !rest.unicodeScalars.contains(where: { $0.isBlank || $0.isUnshowable })
    else { return nil }
    return scheme.lowercased() + "://" + rest
  }

  /// Splits a text at commas; drops words that differ only in case or accents.
  private static func list(_ text: String, most: Int) -> [String] {
    var (words, seen): ([String], Set<FoldedText>) = ([], [])
    for part in text.split(separator: ",").prefix(4 * most) where words.count < most {
      let word = String(part).cleaned(most: maxWordLength)
      let folded = FoldedText(word)
      if !folded.isEmpty, seen.insert(folded).inserted { words.append(word) }
    }
    return words
  }

  private static func number(_ text: String, most: Int) -> Int { min(most, max(0, Int(text.trimmed) ?? 0)) }

  private static func flag(_ text: String) -> Bool { ["1", "true"].contains(text.trimmed.lowercased()) }
}

extension String {
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard scalars.first?.isBlank == true || scalars.last?.isBlank == true else { return self }
    let rest = scalars.drop { $0.isBlank }
    guard let last = rest.lastIndex(where: { !$0.isBlank }) else { return "" }
    return String(rest[...last])
  }

  /// Removes control and direction characters, and reduces white space to single blanks. Cuts the text to `most` bytes
  /// without splitting a scalar.
  func cleaned(most: Int) -> String {
    var (text, count, isBetween) = (String.UnicodeScalarView(), 0, false)
    for scalar in unicodeScalars {
      if scalar.isBlank {
        isBetween = true
        continue
      }
      if scalar.isUnshowable { continue }
      let blank = isBetween && !text.isEmpty
      count += UTF8.width(scalar) + (blank ? 1 : 0)
      guard count <= most else { break }
      if blank { text.append(" ") }
      text.append(scalar)
      isBetween = false
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
