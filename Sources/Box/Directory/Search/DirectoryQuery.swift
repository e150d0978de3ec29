/// A search for stations. A station must match all criteria; an empty query matches all stations.
public struct DirectoryQuery: Hashable, Sendable {
  /// Words in any order, each a prefix of a word in name, tags, country, state or languages.
  public var words: String
  /// A country's two letters, or its English name.
  public var country: String?
  /// A language's English name.
  public var language: String?
  /// The required tag; nil for any.
  public var tag: String?
  /// A codec or a prefix of its name: "aac" for AAC and AAC+.
  public var codec: String?
  /// True to include only stations that responded to the directory's last check.
  public var isAliveOnly: Bool

  /// Creates a query. Case and accents are ignored.
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

  /// Maximum number of words; further words are ignored.
  static let maxWords = 16
}

/// The result of a search.
public struct DirectoryMatches: Hashable, Sendable {
  /// The ranks of the requested stations.
  public let ranks: [Int]
  /// Number of all matches, including stations outside `ranks`.
  public let total: Int
  /// True if there was no exact match, so that words with one error were accepted.
  public let isMisspelt: Bool
}
