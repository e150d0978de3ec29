import Directory

/// The stations that a filter fits, by votes, found in pieces.
struct MatchWalk {
  private let directory: StationDirectory
  private let query: DirectoryQuery
  private let filter: StationFilter?
  /// The words that are still to be looked up, and the stations that have all others; nil: all have.
  private var words: [String]
  private var fitting: RankSet?
  /// Whether a word that no station has was taken with one letter wrong.
  private(set) var isMisspelt = false
  /// How many candidates the index gave, and those that were not compared yet.
  private var passed = 0
  private var candidates: ArraySlice<Int> = []
  private var isOver = false
  /// So many candidates are compared at once.
  private let piece: Int

  /// So many comparisons are made at once, and so many candidates are had from the index.
  private static let mostComparisons = 64
  private static let page = 1_024

  init(_ tree: DirectoryTree, _ filter: StationFilter) {
    var query = DirectoryQuery()
    let rest = filter.narrow(&query, tree)
    self.init(tree, query, rest)
  }

  /// The stations of a query that a filter fits; nil: all of them. Words are looked up one after the other: one that no
  /// station has costs a look at all words.
  init(_ tree: DirectoryTree, _ query: DirectoryQuery, _ filter: StationFilter? = nil) {
    var query = query
    words = FoldedText(query.words).description.split(separator: " ").map(String.init)
    query.words = ""
    (directory, self.query, self.filter) = (tree.directory, query, filter)
    piece = Self.mostComparisons / min(Self.mostComparisons, max(1, filter?.comparisonCount ?? 1))
  }

  /// What the index is asked for, where nothing has to be compared beside.
  var wholeQuery: DirectoryQuery? { filter == nil && words.isEmpty && fitting == nil ? query : nil }

  /// How many there are; nil where that has to be found out by comparing.
  var count: Int? { wholeQuery.map { directory.search($0, limit: 0).total } }

  /// Passes over some at the beginning; false where that can only be done by comparing.
  mutating func skip(_ count: Int) -> Bool {
    guard wholeQuery != nil else { return false }
    passed += count
    return true
  }

  /// The ranks of the next ones, often none; nil after the last.
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
    // No other word changes that.
    if found.ranks.isEmpty { (words, isOver) = ([], true) }
  }
}
