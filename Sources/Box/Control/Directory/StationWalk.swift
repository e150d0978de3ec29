/// The stations that a command lists or adds, in order and inside the window, in pieces.
struct StationWalk {
  private var matches: MatchWalk
  /// The matching stations and their order; nil for the order by votes.
  private var fitting: RankSet?
  private var order: StationOrder?
  private var isGathered: Bool
  /// Number of stations still to skip, and still to return.
  private var ahead: Int
  private var left: Int

  /// Creates a walk over the stations in a window, at most `DirectoryTree.maxStations`.
  init(_ matches: MatchWalk, _ tree: DirectoryTree, _ sort: StationOrder.Key? = nil, _ window: Range<Int>? = nil) {
    self.matches = matches
    let window = window ?? 0..<DirectoryTree.maxStations
    (ahead, left) = (window.lowerBound, min(window.count, DirectoryTree.maxStations))
    if let sort, let order = StationOrder(sort, tree) {
      (self.order, fitting) = (order, RankSet(tree.directory.count))
    }
    isGathered = order == nil
    if isGathered, self.matches.skip(ahead) { ahead = 0 }
  }

  /// Returns the next ranks, often an empty list; nil after the last rank.
  mutating func next() -> [Int]? {
    guard left > 0 else { return nil }
    guard isGathered else {
      if let ranks = matches.next() { ranks.forEach { fitting?.insert($0) } } else { isGathered = true }
      return []
    }
    guard let ranks = order == nil ? matches.next() : nextInOrder() else { return nil }
    let passed = min(ahead, ranks.count)
    let given = ranks[passed...].prefix(left)
    (ahead, left) = (ahead - passed, left - given.count)
    return Array(given)
  }

  /// Returns the next matches in order; matches unknown to the order come last.
  private mutating func nextInOrder() -> [Int]? {
    if let ranks = order?.next() { return ranks.filter { fitting?.remove($0) ?? false } }
    return fitting?.removeFirst(64)
  }
}
