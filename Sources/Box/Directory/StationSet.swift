/// Stations of a directory by their ranks, a bit for each.
struct StationSet {
  private var words: [UInt64]
  private let capacity: Int

  /// No station of `capacity`, or all of them.
  init(capacity: Int, isFull: Bool = false) {
    self.capacity = capacity
    words = Array(repeating: isFull ? .max : 0, count: (capacity + 63) / 64)
    if isFull, capacity % 64 != 0 { words[words.count - 1] = 1 << UInt64(capacity % 64) - 1 }
  }

  /// How many stations it has.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether it has none.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Adds a station; one that the directory does not have is passed over.
  mutating func insert(_ rank: Int) {
    if rank >= 0, rank < capacity { words[rank / 64] |= 1 << UInt64(rank % 64) }
  }

  /// Keeps those that the other has too.
  mutating func formIntersection(_ other: StationSet) {
    for index in words.indices { words[index] &= index < other.words.count ? other.words[index] : 0 }
  }

  /// Keeps the first so many ranks.
  mutating func keepFirst(_ count: Int) {
    for index in words.indices where (index + 1) * 64 > count {
      words[index] &= index * 64 >= count ? 0 : 1 << UInt64(count - index * 64) - 1
    }
  }

  /// The ranks from the `from`-th on, `limit` at most, in their order.
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
