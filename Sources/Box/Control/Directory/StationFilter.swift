import Directory
import Glibc

/// A `SongFilter` for stations of the directory.
indirect enum StationFilter {
  case all([StationFilter])
  case not(StationFilter)
  /// Words that are prefixes of words in these tags; nil for all tags.
  case words([String], in: [MpdTag]?)
  case part(String, of: Field)
  case whole(String, of: Field)
  /// A text that equals one of these tags, or the address, without case and accents.
  case folded(FoldedText, of: Field)
  case always(Bool)
  /// The stations of a folder: of a country, of a tag, or of both.
  case below(country: FoldedText?, code: String, tag: FoldedText?)

  enum Field {
    case address
    case tags([MpdTag])
  }

  /// Converts a filter. `folds`: true to compare as `search` does. Throws if a folder does not exist, or if there are
  /// too many comparisons.
  init(_ filter: SongFilter, folds: Bool, _ tree: DirectoryTree) throws(ControlRefusal) {
    guard filter.comparisonCount <= Self.maxComparisons else {
      throw ControlRefusal(.argument, "A filter has \(Self.maxComparisons) comparisons at most")
    }
    try self.init(reading: filter, folds: folds, tree)
  }

  private static let maxComparisons = 64

  var comparisonCount: Int {
    switch self {
    case .all(let filters): filters.reduce(0) { $0 + $1.comparisonCount }
    case .not(let filter): filter.comparisonCount
    case .words, .part, .whole, .folded, .always, .below: 1
    }
  }

  private init(reading filter: SongFilter, folds: Bool, _ tree: DirectoryTree) throws(ControlRefusal) {
    switch filter {
    case .all(let filters):
      var all: [StationFilter] = []
      for filter in filters { all.append(try StationFilter(reading: filter, folds: folds, tree)) }
      self = .all(all)
    case .not(let filter): self = .not(try StationFilter(reading: filter, folds: folds, tree))
    case .base(let path): self = try Self.below(path, tree)
    case .match(let tags, let value, let isWhole): self = Self.match(tags, value, isWhole: isWhole, folds: folds)
    }
  }

  private static func below(_ path: String, _ tree: DirectoryTree) throws(ControlRefusal) -> StationFilter {
    guard !path.hasPrefix("/") else { throw ControlRefusal(.argument, "Bad URI") }
    switch tree.folder(path) {
    case nil: throw .noDirectory
    case .root, .top: return .always(true)
    case .country(let key): return below(key, nil)
    case .genre(let tag, let key): return below(key, tag)
    }
  }

  private static func below(_ country: String?, _ tag: String?) -> StationFilter {
    if country == nil, tag == nil { return .always(true) }
    return .below(country: country.map { FoldedText($0) }, code: country ?? "", tag: tag.map { FoldedText($0) })
  }

  private static func match(_ tags: [MpdTag]?, _ value: String, isWhole: Bool, folds: Bool) -> StationFilter {
    // A tag that no station has is compared as an empty text.
    if tags == [] { return .always(value.isEmpty) }
    if value.isEmpty, !isWhole { return .always(true) }
    let field = tags.map { Field.tags($0) } ?? .address
    let text = FoldedText(value)
    if isWhole {
      // A value without letters is compared literally.
      return folds && tags != nil && !text.isEmpty ? .folded(text, of: field) : .whole(value, of: field)
    }
    guard folds, let tags, !text.isEmpty else { return .part(value, of: field) }
    let words = text.description.split(separator: " ").prefix(64).map(String.init)
    return .words(words, in: tags == MpdTag.allCases ? nil : tags)
  }

  // MARK: Comparing

  func matches(_ song: DirectorySong) -> Bool {
    switch self {
    case .all(let filters): filters.allSatisfy { $0.matches(song) }
    case .not(let filter): !filter.matches(song)
    case .always(let fits): fits
    case .words(let words, let tags):
      Self.contains(words, tags.map { $0.flatMap { song[$0] } } ?? song.texts)
    case .part(let part, .address): strstr(song.file, part) != nil
    case .part(let part, .tags(let tags)): tags.contains { song[$0].contains { strstr($0, part) != nil } }
    case .whole(let text, .address): song.file == text
    case .whole(let text, .tags(let tags)):
      tags.contains { tag in
        let values = song[tag]
        return values.isEmpty ? text.isEmpty : values.contains(text) || tag == .genre && song.entry.tags.contains(text)
      }
    case .folded(let text, .tags(let tags)): tags.contains { song[$0].contains { FoldedText($0) == text } }
    case .folded(let text, .address): FoldedText(song.file) == text
    case .below(let country, let code, let tag):
      (country.map { song.entry.countryCode == code || FoldedText(song.entry.country) == $0 } ?? true)
        && (tag.map { tag in song.entry.tags.contains { FoldedText($0) == tag } } ?? true)
    }
  }

  /// Returns true if each word is a prefix of a word in the texts. In scripts without spaces, a word may start at any
  /// letter.
  private static func contains(_ words: [String], _ texts: [String]) -> Bool {
    let text = texts.reduce(into: "") { $0 += " " + FoldedText($1).description }
    return words.allSatisfy { word in
      let standsAlone = (word.utf8.first ?? 0) >= 0xE0
      return strstr(text, standsAlone ? word : " " + word) != nil
    }
  }

  // MARK: Narrowing

  private static let maxWords = 16

  /// Moves the parts for the directory's index into a query. Returns the rest, to compare with each station; nil
  /// without a rest.
  func narrow(_ query: inout DirectoryQuery, _ tree: DirectoryTree) -> StationFilter? {
    switch self {
    case .all(let filters):
      let left = filters.compactMap { $0.narrow(&query, tree) }
      return left.isEmpty ? nil : left.count == 1 ? left[0] : .all(left)
    case .always(true): return nil
    case .words(let words, let tags):
      let isFull = !Self.add(words, to: &query)
      return tags == nil && !isFull ? nil : self
    case .whole(let text, .tags([.genre])):
      if query.tag == nil, !FoldedText(text).isEmpty { query.tag = text }
      return self
    case .folded(let text, .tags([.genre])):
      guard query.tag == nil else { return self }
      query.tag = text.description
      return nil
    case .whole(let text, .tags([.artist])):
      if query.country == nil { query.country = tree.key(ofArtist: text) }
      return self
    case .whole(let text, .tags):
      Self.add(FoldedText(text).description.split(separator: " ").map(String.init), to: &query)
      return self
    case .folded(let text, .tags):
      Self.add(text.description.split(separator: " ").map(String.init), to: &query)
      return self
    case .below(let country, let code, let tag):
      guard country == nil || query.country == nil, tag == nil || query.tag == nil else { return self }
      if country != nil { query.country = code }
      if let tag { query.tag = tag.description }
      return nil
    case .not, .part, .always(false), .whole(_, .address), .folded(_, .address): return self
    }
  }

  @discardableResult
  private static func add(_ words: [String], to query: inout DirectoryQuery) -> Bool {
    let known = query.words.split(separator: " ").count
    let taken = words.prefix(max(0, maxWords - known))
    query.words = ([query.words] + taken).joined(separator: " ")
    return taken.count == words.count
  }
}
