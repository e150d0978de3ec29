import Directory

/// The stations that a filter fits, by votes, found in pieces.
struct MatchWalk {
  private let directory: StationDirectory
  private let query: DirectoryQuery
  private let filter: StationFilter?
  /// How many candidates the index gave, and those that were not compared yet.
  private var passed: Int
  private var candidates: ArraySlice<Int> = []
  private var isOver = false

  /// So many candidates are compared at once, and so many are had from the index.
  private static let piece = 64
  private static let page = 1_024

  init(_ tree: DirectoryTree, _ filter: StationFilter) {
    var query = DirectoryQuery()
    self.filter = filter.narrow(&query, tree)
    (directory, self.query, passed) = (tree.directory, query, 0)
  }

  /// All stations of a query.
  init(_ tree: DirectoryTree, _ query: DirectoryQuery) {
    (directory, self.query, filter, passed) = (tree.directory, query, nil, 0)
  }

  /// How many there are; nil where that has to be found out by comparing.
  var count: Int? { filter == nil ? directory.search(query, limit: 0).total : nil }

  /// What the index is asked for, where nothing has to be compared beside.
  var wholeQuery: DirectoryQuery? { filter == nil ? query : nil }

  /// Passes over some at the beginning; false where that can only be done by comparing.
  mutating func skip(_ count: Int) -> Bool {
    guard filter == nil else { return false }
    passed += count
    return true
  }

  /// The ranks of the next ones, often none; nil after the last.
  mutating func next() -> [Int]? {
    if candidates.isEmpty {
      guard !isOver else { return nil }
      candidates = directory.search(query, limit: Self.page, from: passed).ranks[...]
      passed += candidates.count
      isOver = candidates.count < Self.page
    }
    let piece = candidates.prefix(Self.piece)
    candidates = candidates.dropFirst(piece.count)
    guard let filter else { return Array(piece) }
    return piece.filter { filter.matches(DirectorySong(directory[$0])) }
  }
}
