import Synchronization
import Units

/// Drops the oldest blocks of the ring when room is needed, and frees each when no pin protects it. Writer only.
struct BlockReclaimer: ~Copyable {
  private let ring: UnsafePointer<BlockRing>
  /// Dropped blocks or runs that were still pinned. Three pins exist: the reader's block, its probe, and the cursors'.
  private(set) var deferred = InlineArray<3, DeferredBlock>(repeating: DeferredBlock())
  /// Number of allocated blocks: published, staged and deferred ones.
  private(set) var leasedCount = 0

  struct DeferredBlock: BitwiseCopyable {
    /// The block's number; `noBlock` if this entry is unused.
    var sequence = BlockRing.noBlock
    var index: UInt32 = 0

    var isThere: Bool { sequence != BlockRing.noBlock }
  }

  init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  var pool: UnsafePointer<BlockPool> { ring.pointee.pool }

  /// Number of free blocks that the ring may use; several rings may share a pool.
  private var available: Int { min(pool.pointee.available, ring.pointee.slotCount - leasedCount) }

  private var oldest: Int { ring.pointee.first.load(ordering: .relaxed) }

  private var end: Int { ring.pointee.end.load(ordering: .relaxed) }

  private func slot(_ sequence: Int) -> UInt32 { ring.pointee.slot(sequence).pointee.load(ordering: .relaxed) }

  /// Allocates a block; drops the oldest played ones if no block is free. Returns nil if all are unplayed.
  mutating func acquire() -> UInt32? {
    releaseDeferred()
    while available <= 0 {
      guard oldest < ring.pointee.pin.load(ordering: .acquiring) else { return nil }
      drop()
    }
    guard let lease = BlockLease(from: pool) else { return nil }
    leasedCount += 1
    return lease.putAway()
  }

  mutating func makeRoom(_ count: Int, wraps: Bool = false) -> Bool {
    releaseDeferred()
    // The newest block is still being filled.
    let newest = end - 1
    while available < count {
      let oldest = oldest
      guard oldest < newest, oldest + runCount(oldest) <= newest,
        wraps || oldest < ring.pointee.pin.load(ordering: .acquiring)
      else {
        // Pins may have moved since the first call.
        releaseDeferred()
        return available >= count
      }
      drop()
    }
    return true
  }

  func lacksPool(_ count: Int) -> Bool {
    pool.pointee.available < count && ring.pointee.slotCount - leasedCount >= count
  }

  func canFree(_ count: Int) -> Bool {
    var free = available
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

  /// Drops the blocks that the reader has played.
  mutating func dropPlayed() {
    releaseDeferred()
    while oldest < ring.pointee.pin.load(ordering: .acquiring) { drop() }
  }

  /// Removes all blocks from the ring. Returns the newest ones without freeing them, at most `count`: the pool index of
  /// each block or run, the oldest first. A pinned block and those before it are not returned.
  mutating func detach(newest count: Int) -> [UInt32] {
    while oldest < end, end - oldest > count { drop() }
    var indices: [UInt32] = []
    while oldest < end {
      let removed = unlink()
      if isPinned(removed.sequence, runCount(removed)) {
        for index in indices { release(index) }
        indices = []
        postpone(removed)
      } else {
        indices.append(removed.index)
      }
    }
    leasedCount -= blockCount(indices)
    return indices
  }

  /// Counts blocks that another ring of the pool returned from `detach`.
  mutating func adopt(_ indices: [UInt32]) { leasedCount += blockCount(indices) }

  private func blockCount(_ indices: [UInt32]) -> Int {
    indices.reduce(0) { $0 + Int(pool.pointee.block($1).pointee.runCount) }
  }

  /// Drops the oldest block or run.
  private mutating func drop() {
    let removed = unlink()
    if isPinned(removed.sequence, runCount(removed)) { postpone(removed) } else { release(removed.index) }
  }

  /// Removes the oldest block or run from the ring, without freeing it.
  ///
  /// Reader and cursor store a pin, then load `first`. The writer stores `first`, then loads the pins. These accesses
  /// are sequentially consistent, so that at least one side sees the other's store.
  private mutating func unlink() -> DeferredBlock {
    let (oldest, end) = (oldest, end)
    assert(oldest < end, "only what is held is dropped")
    let (index, after) = (slot(oldest), oldest + runCount(oldest))
    let next =
      after < end ? ring.pointee.block(after).pointee.start.ticks : ring.pointee.endTicks.load(ordering: .relaxed)
    ring.pointee.oldestTicks.store(next, ordering: .relaxed)
    ring.pointee.first.store(after, ordering: .sequentiallyConsistent)
    return DeferredBlock(sequence: oldest, index: index)
  }

  /// Retains a removed block until no pin protects it.
  private mutating func postpone(_ block: DeferredBlock) {
    // One of the three pins protects this block, so at most two entries stay pinned. A pin may protect a third entry
    // only until its thread has loaded `first`.
    while true {
      for place in deferred.indices where !deferred[place].isThere {
        deferred[place] = block
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
  mutating func release(_ index: UInt32) {
    var index = index
    for _ in 0..<pool.pointee.block(index).pointee.runCount {
      let next = pool.pointee.block(index).pointee.next
      free(index)
      index = next
    }
  }

  mutating func free(_ index: UInt32) {
    leasedCount -= 1
    _ = BlockLease(reclaiming: index, from: pool)
  }

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
