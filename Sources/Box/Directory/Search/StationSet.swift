/// A bit set of station ranks.
struct StationSet {
  private var words: [UInt64]
  private let capacity: Int

  init(capacity: Int, isFull: Bool = false) {
    self.capacity = capacity
    words = Array(repeating: isFull ? .max : 0, count: (capacity + 63) / 64)
    if isFull, capacity % 64 != 0 { words[words.count - 1] = 1 << UInt64(capacity % 64) - 1 }
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Adds a station; ignores a rank that is out of range.
  mutating func insert(_ rank: Int) {
    if rank >= 0, rank < capacity { words[rank / 64] |= 1 << UInt64(rank % 64) }
  }

  mutating func formIntersection(_ other: StationSet) {
    for index in words.indices { words[index] &= index < other.words.count ? other.words[index] : 0 }
  }

  /// Removes the rank `count` and all greater ranks.
  mutating func retainFirst(_ count: Int) {
    for index in words.indices where (index + 1) * 64 > count {
      words[index] &= index * 64 >= count ? 0 : 1 << UInt64(count - index * 64) - 1
    }
  }

  /// Returns at most `limit` ranks in order, after skipping `from`.
  func ranks(from: Int, limit: Int) -> [Int] {
    var (ranks, passed): ([Int], Int) = ([], 0)
    for (index, word) in words.enumerated() where ranks.count < limit {
      let count = word.nonzeroBitCount
      guard passed + count > from else {
        passed += count
        continue
      }
      var rest = word
      while rest != 0, ranks.count < limit {
        if passed >= from { ranks.append(index * 64 + rest.trailingZeroBitCount) }
        passed += 1
        rest &= rest - 1
      }
    }
    return ranks
  }
}
