import Synchronization
import Units

/// Drops the oldest blocks of the ring when room is needed, and frees each when no pin protects it. Writer only.
struct BlockReclaimer: ~Copyable {
  private let ring: UnsafePointer<BlockRing>
  /// Dropped blocks or runs that were still pinned. Three pins exist: the reader's block, its probe, and the cursors'.
  private(set) var deferred = InlineArray<3, DeferredBlock>(repeating: DeferredBlock())

  struct DeferredBlock: BitwiseCopyable {
    /// The block's number; `noBlock` if this entry is unused.
    var sequence = BlockRing.noBlock
    var index: UInt32 = 0

    var isThere: Bool { sequence != BlockRing.noBlock }
  }

  init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  var pool: UnsafePointer<BlockPool> { ring.pointee.pool }

  private var oldest: Int { ring.pointee.first.load(ordering: .relaxed) }

  private var end: Int { ring.pointee.end.load(ordering: .relaxed) }

  private func slot(_ sequence: Int) -> UInt32 { ring.pointee.slot(sequence).pointee.load(ordering: .relaxed) }

  /// Allocates a block; drops the oldest played ones if no block is free. Returns nil if all are unplayed.
  mutating func acquire() -> UInt32? {
    releaseDeferred()
    while pool.pointee.available == 0 {
      guard oldest < ring.pointee.pin.load(ordering: .acquiring) else { return nil }
      drop()
    }
    guard let lease = BlockLease(from: pool) else { return nil }
    return lease.putAway()
  }

  mutating func makeRoom(_ count: Int, wraps: Bool = false) -> Bool {
    releaseDeferred()
    // The newest block is still being filled.
    let newest = end - 1
    while pool.pointee.available < count {
      let oldest = oldest
      guard oldest < newest, oldest + runCount(oldest) <= newest,
        wraps || oldest < ring.pointee.pin.load(ordering: .acquiring)
      else { return false }
      drop()
    }
    return true
  }

  func canFree(_ count: Int) -> Bool {
    var free = pool.pointee.available
    var sequence = oldest
    let (newest, unheard) = (end - 1, ring.pointee.pin.load(ordering: .acquiring))
    while free < count, sequence < newest, sequence < unheard, sequence + runCount(sequence) <= newest {
      if !isPinned(sequence, runCount(sequence)) { free += runCount(sequence) }
      sequence += runCount(sequence)
    }
    for place in deferred.indices where isReleasable(deferred[place]) { free += runCount(deferred[place]) }
    return free >= count
  }

  mutating func dropAll() { while oldest < end { drop() } }

  /// Drops the oldest block or run.
  ///
  /// Reader and cursor store a pin, then load `first`. The writer stores `first`, then loads the pins. These accesses
  /// are sequentially consistent, so that at least one side sees the other's store.
  private mutating func drop() {
    let (oldest, end) = (oldest, end)
    assert(oldest < end, "only what is held is dropped")
    let (index, after) = (slot(oldest), oldest + runCount(oldest))
    let next =
      after < end ? ring.pointee.block(after).pointee.start.ticks : ring.pointee.endTicks.load(ordering: .relaxed)
    ring.pointee.oldestTicks.store(next, ordering: .relaxed)
    ring.pointee.first.store(after, ordering: .sequentiallyConsistent)
    guard isPinned(oldest, after - oldest) else { return release(index) }
    // One of the three pins protects this block, so at most two entries stay pinned. A pin may protect a third entry
    // only until its thread has loaded `first`.
    while true {
      for place in deferred.indices where !deferred[place].isThere {
        deferred[place] = DeferredBlock(sequence: oldest, index: index)
        return
      }
      releaseDeferred()
    }
  }

  private mutating func releaseDeferred() {
    for place in deferred.indices where isReleasable(deferred[place]) {
      release(deferred[place].index)
      deferred[place].sequence = BlockRing.noBlock
    }
  }

  /// Frees a block or the run that starts with it.
  func release(_ index: UInt32) {
    var index = index
    for _ in 0..<pool.pointee.block(index).pointee.runCount {
      let next = pool.pointee.block(index).pointee.next
      free(index)
      index = next
    }
  }

  func free(_ index: UInt32) { _ = BlockLease(reclaiming: index, from: pool) }

  private func runCount(_ sequence: Int) -> Int { Int(ring.pointee.block(sequence).pointee.runCount) }

  func runCount(_ block: DeferredBlock) -> Int { Int(pool.pointee.block(block.index).pointee.runCount) }

  private func isReleasable(_ block: DeferredBlock) -> Bool {
    block.isThere && !isPinned(block.sequence, runCount(block))
  }

  /// Returns true if a pin protects one of `count` blocks. Loads the probe before the reader's pin, because the reader
  /// stores its pin before it clears the probe.
  private func isPinned(_ sequence: Int, _ count: Int) -> Bool {
    let blocks = sequence..<sequence + count
    return blocks.contains(ring.pointee.probe.load(ordering: .sequentiallyConsistent))
      || blocks.contains(ring.pointee.pin.load(ordering: .sequentiallyConsistent))
      || blocks.contains(ring.pointee.cursorPin.load(ordering: .sequentiallyConsistent))
  }
}
