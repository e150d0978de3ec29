/// The names that a document has used. expat keeps each one, so a document with too many is refused.
struct NameTally {
  /// The most names, and the most bytes of them; feeds and lists use less than a hundred.
  private static let mostNames = 1_024
  private static let mostBytes = 64 << 10

  /// Hashes of the names, 0 where none is; never more than half full.
  private var slots = [Int](repeating: 0, count: 2 * mostNames)
  private var count = 0
  private var byteCount = 0

  /// Notes a name; false where it is one too many.
  mutating func note(_ name: UnsafeRawBufferPointer) -> Bool {
    var hasher = Hasher()
    hasher.combine(bytes: name)
    let hash = max(1, hasher.finalize() & .max)
    var slot = hash % slots.count
    while slots[slot] != 0 {
      if slots[slot] == hash { return true }
      slot = (slot + 1) % slots.count
    }
    count += 1
    byteCount += name.count
    guard count <= Self.mostNames, byteCount <= Self.mostBytes else { return false }
    slots[slot] = hash
    return true
  }
}
