struct FeedName: Equatable {
  enum Vocabulary: Hashable {
    /// RSS, RDF and Atom.
    case feed
    case itunes
    case media
    case dublinCore
    case other
  }

  var vocabulary: Vocabulary
  /// Without prefix, in lower case.
  var local: String

  var isTitle: Bool { local == "title" && (vocabulary == .feed || vocabulary == .itunes) }
  var isIdentifier: Bool { vocabulary == .feed && (local == "guid" || local == "id") }
  var isDuration: Bool { vocabulary == .itunes && local == "duration" }
  var isType: Bool { vocabulary == .itunes && local == "type" }

  /// The rank among date elements, closest to the publication date first; nil for other elements.
  var dateRank: Int? {
    switch (vocabulary, local) {
    case (.feed, "pubdate"), (.feed, "published"): 0
    case (.dublinCore, "date"), (.feed, "issued"), (.feed, "created"): 1
    case (.feed, "updated"), (.feed, "modified"): 2
    default: nil
    }
  }
}

/// Maps namespace prefixes to vocabularies: as declared, otherwise by their usual meaning.
struct FeedNames {
  /// Maximum number of known prefixes; further prefixes are ignored.
  private static let prefixLimit = 64

  private var vocabularies: [String: FeedName.Vocabulary] = [
    "itunes": .itunes, "media": .media, "dc": .dublinCore, "atom": .feed, "atom10": .feed, "rss": .feed, "rdf": .feed,
  ]

  /// Records an element's `xmlns:…` declarations, which then apply to the rest of the document.
  mutating func declare(_ attributes: [String: String]) {
    for (name, uri) in attributes where name.utf8.starts(with: "xmlns:".utf8) {
      let prefix = String(name.dropFirst("xmlns:".count))
      guard vocabularies.count < Self.prefixLimit || vocabularies[prefix] != nil else { continue }
      guard let vocabulary = Self.vocabulary(uri) else { continue }
      vocabularies[prefix] = vocabulary
    }
  }

  /// Resolves a name as written. A name without a prefix belongs to the feed's own vocabulary.
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
