import SeededRandom

struct StallDimensions {
  var sources: [(StallCase.Source, StallCase.Restart)]
  var stalls: [Double]
  var moments: [StallCase.Moment] = [.start, .midst, .end]
  var blocks = [16, 24, 48, 1_200]
  var policies = [false, true]
  var kilobits = StallTable.kilobits
  var lines: [Double]
  var accesses: [StallCase.Access] = [.open]

  var sizes: [Int] {
    [sources.count, stalls.count, moments.count, blocks.count, policies.count, kilobits.count, lines.count]
      + (accesses.count > 1 ? [accesses.count] : [])
  }

  func item(_ row: [Int]) -> StallCase {
    StallCase(
      source: sources[row[0]].0, stall: stalls[row[1]], moment: moments[row[2]], blocks: blocks[row[3]],
      isFixed: policies[row[4]], kilobits: kilobits[row[5]], line: lines[row[6]], restart: sources[row[0]].1,
      access: accesses[row.count > 7 ? row[7] : 0])
  }

  var all: [StallCase] {
    sizes.reduce([[]]) { rows, size in rows.flatMap { row in (0..<size).map { row + [$0] } } }.map { item($0) }
  }

  /// A selection that contains each pair of values at least once.
  var pairwise: [StallCase] { Pairwise(sizes, seed: 18).rows.map { item($0) } }
}

enum StallTable {
  static let kilobits = [32, 128, 320]

  /// Live stations with each kind of restart, and three finite sources.
  static let streams = StallDimensions(
    sources: [.none, .new, .same, .loop].map { (.live, $0) } + [(.file, .none), (.episode, .none), (.list, .none)],
    stalls: (1...12).map { Double($0) }, kilobits: kilobits + [StallMaterial.flac], lines: [1, 2, 0.6])

  /// The dimensions for HLS. A line at the bit rate would be too slow, because each segment costs a request.
  static let segments = StallDimensions(
    sources: [.none, .pause, .new, .same].map { (.segments, $0) } + [(.finished, .none)],
    stalls: [3, 5, 8, 12, 20], lines: [1.5, 4, 0.6])

  /// Cookies, sessions and expiring addresses, with every kind of source.
  static let accesses = StallDimensions(
    sources: [.none, .new, .same].map { (.live, $0) } + [(.file, .none), (.episode, .none), (.list, .none)]
      + [.none, .pause, .new].map { (.segments, $0) } + [(.finished, .none)],
    stalls: [3, 9], blocks: [24, 1_200], policies: [false], kilobits: [128], lines: [2],
    accesses: [.cookie, .session, .expiring])

  /// All combinations in random order, so that each part is a fair sample.
  static var all: [StallCase] {
    var random = SeededGenerator(18)
    return (streams.all + segments.all).shuffled(using: &random)
  }

  /// Returns part `number` of `count`, counted from 1.
  static func part(_ number: Int, of count: Int) -> [StallCase] {
    all.enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }

  /// The cases for CI: the pairwise selection and all that ever failed.
  static var chosen: [StallCase] {
    let named = everFailed
    return (streams.pairwise + segments.pairwise + accesses.pairwise).filter { !named.contains($0) } + named
  }
}

/// Rows in which each pair of values occurs at least once, made by a greedy algorithm. Reproducible by seed.
struct Pairwise {
  private(set) var rows: [[Int]] = []
  private let sizes: [Int]
  private var random: SeededGenerator
  private var open: Set<Pair> = []

  /// Two values of two dimensions; the lower dimension comes first.
  struct Pair: Hashable, Comparable {
    var first: Int
    var one: Int
    var second: Int
    var other: Int

    static func < (left: Pair, right: Pair) -> Bool {
      (left.first, left.one, left.second, left.other) < (right.first, right.one, right.second, right.other)
    }
  }

  init(_ sizes: [Int], seed: UInt64) {
    self.sizes = sizes
    random = SeededGenerator(seed)
    open = Self.pairs(of: sizes)
    while let pair = open.min() {
      var best: [Int] = []
      var most = -1
      for _ in 0..<8 {
        let row = candidate(with: pair)
        let count = Self.pairs(in: row).count { open.contains($0) }
        if count > most { (best, most) = (row, count) }
      }
      open.subtract(Self.pairs(in: best))
      rows.append(best)
    }
  }

  static func pairs(of sizes: [Int]) -> Set<Pair> {
    var pairs: Set<Pair> = []
    for first in sizes.indices {
      for second in sizes.indices where second > first {
        for one in 0..<sizes[first] {
          for other in 0..<sizes[second] {
            pairs.insert(Pair(first: first, one: one, second: second, other: other))
          }
        }
      }
    }
    return pairs
  }

  static func pairs(in row: [Int]) -> [Pair] {
    row.indices.flatMap { first in
      row.indices.filter { $0 > first }.map { Pair(first: first, one: row[first], second: $0, other: row[$0]) }
    }
  }

  /// Creates a row with a pair. The other dimensions, in random order, get the value that covers most open pairs.
  private mutating func candidate(with pair: Pair) -> [Int] {
    var row = [Int?](repeating: nil, count: sizes.count)
    (row[pair.first], row[pair.second]) = (pair.one, pair.other)
    for dimension in sizes.indices.shuffled(using: &random) where row[dimension] == nil {
      var (best, most): (Int, Int) = (0, -1)
      for value in (0..<sizes[dimension]).shuffled(using: &random) {
        let count = closed(dimension, value, row)
        if count > most { (best, most) = (value, count) }
      }
      row[dimension] = best
    }
    return row.map { $0 ?? 0 }
  }

  private func closed(_ dimension: Int, _ value: Int, _ row: [Int?]) -> Int {
    row.indices.count { other in
      guard other != dimension, let partner = row[other] else { return false }
      let pair =
        dimension < other
        ? Pair(first: dimension, one: value, second: other, other: partner)
        : Pair(first: other, one: partner, second: dimension, other: value)
      return open.contains(pair)
    }
  }
}
