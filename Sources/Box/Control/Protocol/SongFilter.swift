import Glibc

/// A filter for songs: pairs of a tag and a value, or MPD's expressions, such as `((artist == 'x') AND (file contains
/// 'y'))`.
indirect enum SongFilter {
  case all([SongFilter])
  case not(SongFilter)
  /// A comparison of a value with `tags`; nil for the address.
  case match(tags: [MpdTag]?, value: String, isWhole: Bool)
  /// The stations below a directory folder; never matches a station of the queue.
  case base(String)

  /// Parses arguments. `isWhole`: true if the values of pairs must match completely.
  init(_ arguments: some Collection<String>, isWhole: Bool) throws(ControlRefusal) {
    var filters: [SongFilter] = []
    var rest = arguments[...]
    while let first = rest.popFirst() {
      if first.hasPrefix("(") {
        var reader = Reader(first)
        filters.append(try reader.expression(depth: 0))
        guard reader.isAtEnd else { throw ControlRefusal(.argument, "Unparsed garbage after expression") }
      } else {
        guard let value = rest.popFirst() else {
          throw ControlRefusal(.argument, "Incorrect number of filter arguments")
        }
        filters.append(
          Self.isBase(first) ? .base(value) : .match(tags: try Self.tags(first), value: value, isWhole: isWhole))
      }
    }
    self = .all(filters)
  }

  private static func isBase(_ name: String) -> Bool { name.lowercased() == "base" }

  private static func tags(_ name: String) throws(ControlRefusal) -> [MpdTag]? {
    switch name.lowercased() {
    case "file", "filename": return nil
    case "any": return MpdTag.allCases
    default:
      guard let tag = MpdTag(named: name) else {
        guard mpdTags.contains(name.lowercased()) else { throw ControlRefusal(.argument, "Unknown filter type") }
        return []
      }
      return [tag]
    }
  }

  static let mpdTags = Set(foreignTags.map { $0.lowercased() } + ["base", "modified-since", "audioformat"])

  static let foreignTags = [
    "Album", "AlbumArtist", "AlbumSort", "AlbumArtistSort", "ArtistSort", "TitleSort", "Track", "Date", "OriginalDate",
    "Composer", "ComposerSort", "Performer", "Conductor", "Work", "Movement", "MovementNumber", "Ensemble", "Location",
    "Grouping", "Comment", "Disc", "Label", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ALBUMARTISTID",
    "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ_WORKID",
  ]

  var comparisonCount: Int {
    switch self {
    case .all(let filters): filters.reduce(0) { $0 + $1.comparisonCount }
    case .not(let filter): filter.comparisonCount
    case .match, .base: 1
    }
  }

  /// Returns true if a song matches. `folds`: true to ignore case.
  func matches(_ song: Song, folds: Bool) -> Bool {
    switch self {
    case .all(let filters): filters.allSatisfy { $0.matches(song, folds: folds) }
    case .not(let filter): !filter.matches(song, folds: folds)
    case .base: false
    case .match(let tags, let value, let isWhole):
      // The full address finds its station, but a part does not: a client could guess a secret step by step.
      tags == nil && isWhole && song.station.request.url.unredacted == value
        || (tags?.map { song[$0] } ?? [song.station.address]).contains { text in
          guard let text = folds ? text?.lowercased() : text else { return false }
          let value = folds ? value.lowercased() : value
          return isWhole ? text == value : Self.contains(text, value)
        }
    }
  }

  /// Searches in linear time for any text (`strstr(3)`).
  private static func contains(_ text: String, _ part: String) -> Bool { strstr(text, part) != nil }

  private struct Reader {
    private var rest: Substring
    private static let maxDepth = 16

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func expression(depth: Int) throws(ControlRefusal) -> SongFilter {
      guard depth < Self.maxDepth else { throw ControlRefusal(.argument, "Expression is nested too deeply") }
      try expect("(")
      if consume("!") {
        let inner = try expression(depth: depth + 1)
        try expect(")")
        return .not(inner)
      }
      guard peek == "(" else { return try comparison() }
      var parts = [try expression(depth: depth + 1)]
      while !consume(")") {
        guard word() == "AND" else { throw ControlRefusal(.argument, "'AND' expected") }
        parts.append(try expression(depth: depth + 1))
      }
      return .all(parts)
    }

    private mutating func comparison() throws(ControlRefusal) -> SongFilter {
      let name = word()
      guard !name.isEmpty else { throw ControlRefusal(.argument, "Word expected") }
      if SongFilter.isBase(name) {
        let path = try quoted()
        try expect(")")
        return .base(path)
      }
      let tags = try SongFilter.tags(name)
      skipBlanks()
      let sign = String(rest.prefix { $0 != " " && $0 != "'" && $0 != "\"" && $0 != ")" })
      rest = rest.dropFirst(sign.count)
      guard ["==", "!=", "contains", "!contains"].contains(sign) else {
        throw ControlRefusal(.argument, "Unknown filter operator: \(sign)")
      }
      let match = SongFilter.match(tags: tags, value: try quoted(), isWhole: sign.hasSuffix("="))
      try expect(")")
      return sign.hasPrefix("!") ? .not(match) : match
    }

    private var peek: Character? { rest.first { $0 != " " } }

    private mutating func skipBlanks() { rest = rest.drop { $0 == " " } }

    private mutating func consume(_ mark: Character) -> Bool {
      skipBlanks()
      guard rest.first == mark else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func expect(_ mark: Character) throws(ControlRefusal) {
      if !consume(mark) { throw ControlRefusal(.argument, "'\(mark)' expected") }
    }

    private mutating func word() -> String {
      skipBlanks()
      let word = rest.prefix { $0.isLetter || $0 == "_" || $0 == "-" }
      rest = rest.dropFirst(word.count)
      return String(word)
    }

    private mutating func quoted() throws(ControlRefusal) -> String {
      skipBlanks()
      guard let mark = rest.popFirst(), mark == "'" || mark == "\"" else {
        throw ControlRefusal(.argument, "Quoted string expected")
      }
      var text = ""
      while let character = rest.popFirst() {
        if character == mark { return text }
        guard character == "\\" else {
          text.append(character)
          continue
        }
        guard let meant = rest.popFirst() else { break }
        text.append(meant)
      }
      throw ControlRefusal(.argument, "Closing quote not found")
    }
  }
}
