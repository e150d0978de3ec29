/// A bit set of ranks.
struct RankSet {
  private var words: [UInt64]
  private var first = 0

  init(_ capacity: Int) { words = Array(repeating: 0, count: (capacity + 63) / 64) }

  mutating func insert(_ rank: Int) { words[rank / 64] |= 1 << UInt64(rank % 64) }

  func contains(_ rank: Int) -> Bool { words[rank / 64] & 1 << UInt64(rank % 64) != 0 }

  mutating func remove(_ rank: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(rank % 64)
    guard words[rank / 64] & bit != 0 else { return false }
    words[rank / 64] &= ~bit
    return true
  }

  /// Removes and returns up to `most` of the lowest ranks; nil if empty.
  mutating func removeFirst(_ most: Int) -> [Int]? {
    var ranks: [Int] = []
    while first < words.count, ranks.count < most {
      guard words[first] != 0 else {
        first += 1
        continue
      }
      ranks.append(first * 64 + words[first].trailingZeroBitCount)
      words[first] &= words[first] - 1
    }
    return ranks.isEmpty ? nil : ranks
  }
}
