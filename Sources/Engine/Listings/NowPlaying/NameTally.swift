/// Counts the distinct names in a document. expat retains each name, so documents with too many names are refused.
struct NameTally {
  /// Limits of distinct names and their bytes; feeds and lists use fewer than a hundred names.
  private static let maxNameCount = 1_024
  private static let maxByteCount = 64 << 10

  /// Hashes of the names, with linear probing; 0 marks a free slot. Never more than half full.
  private var slots = [Int](repeating: 0, count: 2 * maxNameCount)
  private var count = 0
  private var byteCount = 0

  /// Returns false above a limit.
  mutating func record(_ name: UnsafeRawBufferPointer) -> Bool {
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
    guard count <= Self.maxNameCount, byteCount <= Self.maxByteCount else { return false }
    slots[slot] = hash
    return true
  }
}
