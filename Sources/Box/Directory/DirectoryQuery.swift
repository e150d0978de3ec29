/// What stations are looked for. All that is given must fit; without anything all stations do.
public struct DirectoryQuery: Hashable, Sendable {
  /// Words in any order, each the beginning of a word of a station's name, tags, country, state or languages.
  public var words: String
  /// A country's two letters, or its English name.
  public var country: String?
  /// A language's English name.
  public var language: String?
  /// A tag.
  public var tag: String?
  /// A codec, or how its name begins: "aac" for AAC and AAC+.
  public var codec: String?
  /// Whether stations count only that answered when the directory's servers looked last.
  public var isAliveOnly: Bool

  /// Looks for words, and for what else is given. Capitals and accents make no difference.
  public init(
    _ words: String = "", country: String? = nil, language: String? = nil, tag: String? = nil, codec: String? = nil,
    isAliveOnly: Bool = false
  ) {
    self.words = words
    self.country = country
    self.language = language
    self.tag = tag
    self.codec = codec
    self.isAliveOnly = isAliveOnly
  }

  /// Further words are not looked at.
  static let mostWords = 16
}

/// Stations that were found.
public struct DirectoryMatches: Hashable, Sendable {
  /// Those that were asked for, by their ranks.
  public let ranks: [Int]
  /// How many there are in all.
  public let total: Int
  /// Whether nothing fitted, and words with one letter wrong were taken.
  public let isMisspelt: Bool
}
