import Synchronization
import Units

/// The blocks that are free, as a stack without locks. Any thread may take and give back.
///
/// A head packs a tag beside the index, so that a block taken and given back between another thread's two looks is
/// noticed (the ABA problem).
public struct BlockPool: ~Copyable, @unchecked Sendable {
  private let blocks: UnsafeMutableRawPointer
  private let next: UnsafeMutablePointer<Atomic<UInt32>>
  private let head: Atomic<UInt64>
  private let freeCount: Atomic<Int>
  /// How many blocks there are in all.
  public let count: Int

  private static let none = UInt32.max

  static func cost(_ count: Int) -> ByteCount {
    Arena.cost(of: UInt8.self, count: count * Block.byteCount) + Arena.cost(of: Atomic<UInt32>.self, count: count)
  }

  /// Takes room for `count` blocks out of an arena; 16 or more.
  public init(_ count: Int, in arena: Arena) {
    precondition(count >= Self.fewest && count < Int(UInt32.max), "a pool has 16 blocks or more")
    precondition(Block.isLaidOutAsPlanned, "a block's header has the bytes that were planned")
    self.count = count
    blocks = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: count * Block.byteCount))
    next = arena.reserve(Atomic<UInt32>.self, count: count)
    for index in 0..<count {
      (blocks + index * Block.byteCount).initializeMemory(as: Block.self, to: Block())
      (next + index).initialize(to: Atomic(index + 1 < count ? UInt32(index + 1) : Self.none))
    }
    head = Atomic(0)
    freeCount = Atomic(count)
  }

  /// The smallest pool that plays: a burst from the network and a decoder's look ahead must fit.
  public static let fewest = 16

  /// Blocks that nobody holds.
  public var available: Int { freeCount.load(ordering: .relaxed) }

  /// A free block's index; nil when all are in use.
  func take() -> UInt32? {
    var seen = head.load(ordering: .acquiring)
    while true {
      let index = UInt32(truncatingIfNeeded: seen)
      if index == Self.none { return nil }
      let after = next[Int(index)].load(ordering: .relaxed)
      let wanted = ((seen >> 32) &+ 1) << 32 | UInt64(after)
      let (exchanged, original) = head.weakCompareExchange(
        expected: seen, desired: wanted, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if exchanged {
        freeCount.subtract(1, ordering: .relaxed)
        return index
      }
      seen = original
    }
  }

  /// Puts a block back on the stack.
  func give(_ index: UInt32) {
    assert(Int(index) < count, "only a block of this pool is given back")
    var seen = head.load(ordering: .relaxed)
    while true {
      next[Int(index)].store(UInt32(truncatingIfNeeded: seen), ordering: .relaxed)
      let wanted = ((seen >> 32) &+ 1) << 32 | UInt64(index)
      let (exchanged, original) = head.weakCompareExchange(
        expected: seen, desired: wanted, successOrdering: .releasing, failureOrdering: .relaxed)
      if exchanged {
        freeCount.add(1, ordering: .relaxed)
        return
      }
      seen = original
    }
  }

  /// The free blocks, as far as their list can be followed. Only while nobody takes or gives back.
  var freeBlocks: [UInt32] {
    var found: [UInt32] = []
    var index = UInt32(truncatingIfNeeded: head.load(ordering: .acquiring))
    while index != Self.none, Int(index) < count, found.count < count {
      found.append(index)
      index = next[Int(index)].load(ordering: .relaxed)
    }
    return found
  }

  /// The rules that are broken. Only while nobody takes or gives back.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let free = freeBlocks
    check.require(Set(free).count == free.count, "a block is free twice: \(free)")
    check.require(free.count == available, "\(free.count) blocks are free, and \(available) are counted")
    return check.broken
  }

  /// The header of a block.
  func block(_ index: UInt32) -> UnsafeMutablePointer<Block> {
    (blocks + Int(index) &* Block.byteCount).assumingMemoryBound(to: Block.self)
  }

  /// The payload of a block.
  func payload(_ index: UInt32) -> UnsafeMutableRawPointer {
    blocks + Int(index) &* Block.byteCount + Block.headerByteCount
  }
}
