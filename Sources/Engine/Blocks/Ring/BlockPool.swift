import Synchronization
import Units

/// The memory of all blocks, with the free blocks as a lock-free stack. Any thread.
///
/// The stack's head combines an index with a tag. The tag detects a block that was allocated and freed between load and
/// exchange (the ABA problem).
public struct BlockPool: ~Copyable, @unchecked Sendable {
  private let blocks: UnsafeMutableRawPointer
  let next: UnsafeMutablePointer<Atomic<UInt32>>
  let head: Atomic<UInt64>
  private let freeCount: Atomic<Int>
  /// The total number of blocks.
  public let count: Int

  static let none = UInt32.max

  static func cost(_ count: Int) -> ByteCount {
    Arena.cost(of: UInt8.self, count: count * Block.byteCount) + Arena.cost(of: Atomic<UInt32>.self, count: count)
  }

  /// Creates a pool in an arena; traps if `count` is below `minCount`.
  public init(_ count: Int, in arena: Arena) {
    precondition(count >= Self.minCount && count < Int(UInt32.max), "a pool has 16 blocks or more")
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

  /// Minimum number of blocks for playback: one network burst and the decoder's lookahead.
  public static let minCount = 16

  /// The number of free blocks.
  public var available: Int { freeCount.load(ordering: .relaxed) }

  /// Allocates a block; nil if no block is free.
  func allocate() -> UInt32? {
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

  func free(_ index: UInt32) {
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

  func block(_ index: UInt32) -> UnsafeMutablePointer<Block> {
    (blocks + Int(index) &* Block.byteCount).assumingMemoryBound(to: Block.self)
  }

  func payload(_ index: UInt32) -> UnsafeMutableRawPointer {
    blocks + Int(index) &* Block.byteCount + Block.headerByteCount
  }
}
