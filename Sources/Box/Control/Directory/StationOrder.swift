import Directory

/// All stations in an order other than by votes, in pieces.
struct StationOrder {
  struct Key {
    let tag: MpdTag?
    let isDescending: Bool

    /// Parses a client's sort key; "-" reverses the order.
    init(_ text: String) throws(ControlRefusal) {
      isDescending = text.hasPrefix("-")
      let name = isDescending ? String(text.dropFirst()) : text
      tag = MpdTag(named: name)
      let others = SongFilter.foreignTags + ["Last-Modified"]
      guard tag != nil || others.contains(where: { $0.lowercased() == name.lowercased() }) else {
        throw ControlRefusal(.argument, "Unknown sort tag")
      }
    }
  }

  private let directory: StationDirectory
  private let isDescending: Bool
  /// The remaining countries; nil for name order.
  private var countries: [String]?
  private var passed = 0
  private static let page = 512

  /// Creates the order of a sort key; nil for the order by votes.
  init?(_ key: Key, _ tree: DirectoryTree) {
    (directory, isDescending) = (tree.directory, key.isDescending)
    switch key.tag {
    case .title, .name: countries = nil
    case .artist: countries = isDescending ? tree.countryKeys : tree.countryKeys.reversed()
    case .genre, nil: return nil
    }
  }

  mutating func next() -> [Int]? { countries == nil ? nextByName() : nextByCountry() }

  private mutating func nextByName() -> [Int]? {
    let total = directory.names(beginning: "", limit: 0).total
    let count = min(Self.page, total - passed)
    guard count > 0 else { return nil }
    let from = isDescending ? total - passed - count : passed
    passed += count
    let ranks = directory.names(beginning: "", limit: count, from: from).ranks
    return isDescending ? ranks.reversed() : ranks
  }

  private mutating func nextByCountry() -> [Int]? {
    guard let country = countries?.last else { return nil }
    let ranks = directory.search(DirectoryQuery(country: country), limit: Self.page, from: passed).ranks
    passed += ranks.count
    if ranks.count < Self.page {
      countries?.removeLast()
      passed = 0
    }
    return ranks
  }
}
