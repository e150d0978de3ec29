/// The stations that a command tells or adds, in its order and within its window, found in pieces.
struct StationWalk {
  private var matches: MatchWalk
  /// The stations that fit, while their order is not that of votes; and what gives that order.
  private var fitting: RankSet?
  private var order: StationOrder?
  private var isGathered: Bool
  /// How many are still to be passed over, and to be given.
  private var ahead: Int
  private var left: Int

  /// Stations within a window, of which no more than `DirectoryTree.mostStations` are given.
  init(_ matches: MatchWalk, _ tree: DirectoryTree, _ sort: StationOrder.Key? = nil, _ window: Range<Int>? = nil) {
    self.matches = matches
    let window = window ?? 0..<DirectoryTree.mostStations
    (ahead, left) = (window.lowerBound, min(window.count, DirectoryTree.mostStations))
    if let sort, let order = StationOrder(sort, tree) {
      (self.order, fitting) = (order, RankSet(tree.directory.count))
    }
    isGathered = order == nil
    if isGathered, self.matches.skip(ahead) { ahead = 0 }
  }

  /// The ranks of the next ones, often none; nil after the last.
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

  /// Those of the next in order that fit; after them what the order does not know.
  private mutating func nextInOrder() -> [Int]? {
    if let ranks = order?.next() { return ranks.filter { fitting?.remove($0) ?? false } }
    return fitting?.removeFirst(64)
  }
}
