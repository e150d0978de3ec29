import Units

/// A station as the directory knows it. Its texts have no control and no direction characters, and their lengths are
/// bounded.
public struct DirectoryEntry: Hashable, Sendable {
  /// Its name: 1 to 200 bytes.
  public let name: String
  /// The address that the entry's owner gave, by HTTP or HTTPS and without a user; 2,048 bytes at most. Empty where a
  /// directory's file has no such address: nobody can play it.
  public let url: StationAddress
  /// The address of its pages, by HTTP or HTTPS; empty where there is none.
  public let homepage: String
  /// What it plays, 16 at most, none twice.
  public let tags: [String]
  /// The country's two capital letters (ISO 3166-1); empty where unknown.
  public let countryCode: String
  /// The country's usual English name, by its code where it has one; empty where unknown.
  public let country: String
  /// The part of the country; often empty.
  public let state: String
  /// The English names of its languages, 8 at most.
  public let languages: [String]
  /// Such as "MP3" or "AAC+"; empty where unknown.
  public let codec: String
  /// Kilobits per second; 0 where unknown.
  public let bitRate: Int
  /// How many listeners voted for it.
  public let votes: Int
  /// Whether the directory reached it at its last check.
  public let isAlive: Bool
  /// Whether its address leads to an HLS playlist.
  public let isHls: Bool
  /// Its number in the directory; nil where the list had none.
  public let uuid: StationUuid?
}

extension DirectoryEntry {
  static let longestName = 200
  static let longestUrl = 2_048
  static let mostTags = 16
  static let mostLanguages = 8
  /// The longest country, state, tag or language.
  static let longestWord = 48

  /// What a row says of a station; nil where it has no name or no address that could be played.
  public init?(_ row: DirectoryRow) {
    let name = row[.name].cleaned(most: Self.longestName)
    let urls = [row[.url], row[.resolvedUrl]].lazy.compactMap(Self.address)
    guard !name.isEmpty, let url = urls.first else { return nil }
    let code = row[.countryCode].cleaned(most: 8).uppercased()
    let isCode = CountryName.isCode(code)
    self.name = name
    self.url = StationAddress(url)
    homepage = Self.address(row[.homepage]) ?? ""
    tags = Self.list(row[.tags], most: Self.mostTags)
    countryCode = isCode ? code : ""
    let named = isCode ? CountryName.named(code) : nil
    let told = row[.country].cleaned(most: Self.longestWord)
    country = named ?? (told.isEmpty ? countryCode : told)
    state = row[.state].cleaned(most: Self.longestWord)
    languages = Self.list(row[.language], most: Self.mostLanguages)
    let codec = row[.codec].cleaned(most: 16)
    self.codec = codec.uppercased() == "UNKNOWN" ? "" : codec
    bitRate = Self.number(row[.bitRate], most: 65_535)
    votes = Self.number(row[.votes], most: 0xFFFF_FFFF)
    isHls = Self.flag(row[.isHls])
    isAlive = Self.flag(row[.isAlive])
    uuid = StationUuid(row[.uuid])
  }

  /// An address by HTTP or HTTPS, its scheme in small letters; nil for any other, and for one that holds a user or what
  /// no address may hold. A stranger's user would make the request send a password.
  static func address(_ text: String) -> String? {
    let text = text.trimmed
    guard (8...longestUrl).contains(text.utf8.count) else { return nil }
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

  /// Words between commas, each once, whatever its case.
  private static func list(_ text: String, most: Int) -> [String] {
    var (words, seen): ([String], Set<FoldedText>) = ([], [])
    for part in text.split(separator: ",").prefix(4 * most) where words.count < most {
      let word = String(part).cleaned(most: longestWord)
      let folded = FoldedText(word)
      if !folded.isEmpty, seen.insert(folded).inserted { words.append(word) }
    }
    return words
  }

  private static func number(_ text: String, most: Int) -> Int { min(most, max(0, Int(text.trimmed) ?? 0)) }

  private static func flag(_ text: String) -> Bool { ["1", "true"].contains(text.trimmed.lowercased()) }
}

extension String {
  /// Without white space around it.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard scalars.first?.isBlank == true || scalars.last?.isBlank == true else { return self }
    let rest = scalars.drop { $0.isBlank }
    guard let last = rest.lastIndex(where: { !$0.isBlank }) else { return "" }
    return String(rest[...last])
  }

  /// Without control and direction characters, each white space one blank, and whole scalars of so many bytes at most.
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
  /// Whether it is white space.
  fileprivate var isBlank: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
