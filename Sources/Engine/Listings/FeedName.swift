/// The name of an element of a feed.
struct FeedName: Equatable {
  /// Whose words they are.
  enum Vocabulary: Hashable {
    /// RSS and Atom.
    case feed
    case itunes
    case media
    case dublinCore
    case other
  }

  var vocabulary: Vocabulary
  /// Without its prefix, in small letters.
  var local: String

  var isTitle: Bool { local == "title" && (vocabulary == .feed || vocabulary == .itunes) }
  var isIdentifier: Bool { vocabulary == .feed && (local == "guid" || local == "id") }
  var isDuration: Bool { vocabulary == .itunes && local == "duration" }
  var isType: Bool { vocabulary == .itunes && local == "type" }

  /// How near it is to the day of publication, the nearest first; nil where it is no date.
  var dateRank: Int? {
    switch (vocabulary, local) {
    case (.feed, "pubdate"), (.feed, "published"): 0
    case (.dublinCore, "date"), (.feed, "issued"), (.feed, "created"): 1
    case (.feed, "updated"), (.feed, "modified"): 2
    default: nil
    }
  }
}

/// What the prefixes of a feed mean, as declared, or else as they are always used.
struct FeedNames {
  /// Of more prefixes the rest keeps its usual meaning.
  private static let prefixLimit = 64

  private var vocabularies: [String: FeedName.Vocabulary] = [
    "itunes": .itunes, "media": .media, "dc": .dublinCore, "atom": .feed, "atom10": .feed, "rss": .feed, "rdf": .feed,
  ]

  /// Takes the declarations (`xmlns:…`) of an element; they hold from there on.
  mutating func declare(_ attributes: [String: String]) {
    for (name, uri) in attributes where name.utf8.starts(with: "xmlns:".utf8) {
      let prefix = String(name.dropFirst("xmlns:".count))
      guard vocabularies.count < Self.prefixLimit || vocabularies[prefix] != nil else { continue }
      guard let vocabulary = Self.vocabulary(uri) else { continue }
      vocabularies[prefix] = vocabulary
    }
  }

  /// The meaning of a name as written; without a prefix it is the feed's own.
  func name(_ written: String) -> FeedName {
    let bytes = written.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      return FeedName(vocabulary: .feed, local: written[...].asciiLowercased)
    }
    let prefix = Substring(bytes[..<colon])
    let vocabulary = vocabularies[String(prefix)] ?? vocabularies[prefix.asciiLowercased] ?? .other
    return FeedName(vocabulary: vocabulary, local: Substring(bytes[colon...].dropFirst()).asciiLowercased)
  }

  private static func vocabulary(_ uri: String) -> FeedName.Vocabulary? {
    let uri = uri[...].asciiLowercased
    let known: [(part: String, FeedName.Vocabulary)] = [
      ("itunes.com/dtds/podcast", .itunes), ("search.yahoo.com/mrss", .media), ("purl.org/dc/elements", .dublinCore),
      ("w3.org/2005/atom", .feed), ("purl.org/atom/ns", .feed), ("purl.org/rss/1.0/", .feed),
      ("netscape.com/rdf/simple", .feed), ("purl.oclc.org/net/rss_2.0/enc", .feed), ("w3.org/1999/02/22-rdf", .feed),
    ]
    return known.first { uri.contains($0.part) }?.1
  }
}
