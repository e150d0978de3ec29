/// The stations that a command lists or adds, in its order and window, found in pieces.
struct StationWalk {
  private var matches: MatchWalk
  /// The matching stations, if the order is not by votes, and the source of that order.
  private var fitting: RankSet?
  private var order: StationOrder?
  private var isGathered: Bool
  /// Number of stations to skip, and to return.
  private var ahead: Int
  private var left: Int

  /// The stations in a window, at most `DirectoryTree.maxStations`.
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

  /// Returns the next ranks, often none; nil after the last.
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

  /// Returns the next matches in order, then those unknown to the order.
  private mutating func nextInOrder() -> [Int]? {
    if let ranks = order?.next() { return ranks.filter { fitting?.remove($0) ?? false } }
    return fitting?.removeFirst(64)
  }
}
