/// The distinct terms of all stations while a directory is built, with numbers and counts.
struct TermTable {
  /// The bytes of all terms; each term is its kind and its folded text.
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = [0]
  /// Hash table of the terms: a term's number plus one; 0 for a free slot.
  private var slots = [UInt32](repeating: 0, count: 1 << 12)
  private var kindCounts = [Int](repeating: 0, count: FileLayout.TermKind.allCases.count)
  private(set) var counts: [UInt32] = []
  /// The first spelling of each term except words, by number.
  private(set) var labels: [UInt32: String] = [:]

  private let maxByteCount: Int

  init(longest: Int) { self.maxByteCount = longest }

  var count: Int { counts.count }

  subscript(number: Int) -> ArraySlice<UInt8> { bytes[Int(starts[number])..<Int(starts[number + 1])] }

  /// Returns the number of a term; adds the term if missing. Nil if the table is full.
  mutating func insert(_ kind: FileLayout.TermKind, _ text: some Collection<UInt8>, label: String = "") -> Int? {
    let start = bytes.count
    bytes.append(kind.rawValue)
    bytes.append(contentsOf: text)
    var slot = slot(of: bytes[start...])
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if self[number] == bytes[start...] {
        bytes.removeLast(bytes.count - start)
        return number
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard kindCounts[Int(kind.rawValue)] < kind.maxCount, bytes.count <= maxByteCount else {
      bytes.removeLast(bytes.count - start)
      return nil
    }
    kindCounts[Int(kind.rawValue)] += 1
    starts.append(UInt32(bytes.count))
    counts.append(0)
    slots[slot] = UInt32(count)
    if kind != .word { labels[UInt32(count - 1)] = label }
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  mutating func count(_ number: Int) { counts[number] += 1 }

  func count(of kind: FileLayout.TermKind) -> Int { kindCounts[Int(kind.rawValue)] }

  /// Returns the numbers of all terms, sorted by kind and text.
  func sorted() -> [UInt32] {
    (0..<UInt32(count)).sorted { self[Int($0)].lexicographicallyPrecedes(self[Int($1)]) }
  }

  /// Returns the slot for a term's hash. The seed is random, so that an attacker cannot choose texts with equal hashes.
  private func slot(of term: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    term.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize() & (slots.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for number in 0..<count {
      var slot = slot(of: self[number])
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }
}
