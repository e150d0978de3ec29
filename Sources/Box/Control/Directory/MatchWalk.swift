import Directory

/// Finds the stations that match a filter, in pieces, stations with most votes first.
struct MatchWalk {
  private let directory: StationDirectory
  private let query: DirectoryQuery
  private let filter: StationFilter?
  /// The words not looked up yet, and the stations that contain all other words; nil for all stations.
  private var words: [String]
  private var fitting: RankSet?
  private(set) var isMisspelt = false
  /// Number of candidates received from the index, and the candidates not compared yet.
  private var passed = 0
  private var candidates: ArraySlice<Int> = []
  private var isOver = false
  private let piece: Int

  /// Maximum comparisons per piece, and maximum candidates per request to the index.
  private static let maxComparisons = 64
  private static let page = 1_024

  init(_ tree: DirectoryTree, _ filter: StationFilter) {
    var query = DirectoryQuery()
    let rest = filter.narrow(&query, tree)
    self.init(tree, query, rest)
  }

  /// Looks up one word per piece, because an unknown word costs a scan of all words.
  init(_ tree: DirectoryTree, _ query: DirectoryQuery, _ filter: StationFilter? = nil) {
    var query = query
    words = FoldedText(query.words).description.split(separator: " ").map(String.init)
    query.words = ""
    (directory, self.query, self.filter) = (tree.directory, query, filter)
    piece = Self.maxComparisons / min(Self.maxComparisons, max(1, filter?.comparisonCount ?? 1))
  }

  /// The query, if its matches need no comparison; otherwise nil.
  var wholeQuery: DirectoryQuery? { filter == nil && words.isEmpty && fitting == nil ? query : nil }

  var count: Int? { wholeQuery.map { directory.search($0, limit: 0).total } }

  /// Skips matches at the start. Returns false if the matches are not known before a comparison.
  mutating func skip(_ count: Int) -> Bool {
    guard wholeQuery != nil else { return false }
    passed += count
    return true
  }

  /// Returns the next ranks, often an empty list; nil after the last rank.
  mutating func next() -> [Int]? {
    if let word = words.popLast() {
      lookUp(word)
      return []
    }
    if candidates.isEmpty {
      guard !isOver else { return nil }
      let page = directory.search(query, limit: Self.page, from: passed).ranks
      passed += page.count
      isOver = page.count < Self.page
      candidates = (fitting.map { fitting in page.filter(fitting.contains) } ?? page)[...]
    }
    let piece = candidates.prefix(self.piece)
    candidates = candidates.dropFirst(piece.count)
    guard let filter else { return Array(piece) }
    return piece.filter { filter.matches(DirectorySong(directory[$0])) }
  }

  private mutating func lookUp(_ word: String) {
    let found = directory.search(DirectoryQuery(word), limit: directory.count)
    isMisspelt = isMisspelt || found.isMisspelt
    var both = RankSet(directory.count)
    for rank in found.ranks where fitting?.contains(rank) ?? true { both.insert(rank) }
    fitting = both
    // A station must contain all words, so further words cannot add stations to an empty result.
    if found.ranks.isEmpty { (words, isOver) = ([], true) }
  }
}
