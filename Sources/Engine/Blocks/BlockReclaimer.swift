import Synchronization
import Units

/// Takes the ring's blocks back: the oldest ones when room is needed, each when nobody looks at it any more. The
/// writer's.
struct BlockReclaimer: ~Copyable {
  private let ring: UnsafePointer<BlockRing>
  /// Dropped blocks, or runs of them, that were pinned when they were dropped. There are three pins: the reader's
  /// place, its probe, and a cursor's.
  private var deferred = InlineArray<3, DeferredBlock>(repeating: DeferredBlock())

  /// A dropped block whose release is deferred until its pin moves on.
  private struct DeferredBlock: BitwiseCopyable {
    /// Its number in the ring; `noBlock` where there is none.
    var sequence = BlockRing.noBlock
    var index: UInt32 = 0

    var isThere: Bool { sequence != BlockRing.noBlock }
  }

  init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  private var pool: UnsafePointer<BlockPool> { ring.pointee.pool }

  /// The number of the oldest block.
  private var oldest: Int { ring.pointee.first.load(ordering: .relaxed) }

  /// The number that the next block gets.
  private var end: Int { ring.pointee.end.load(ordering: .relaxed) }

  private func slot(_ sequence: Int) -> UInt32 { ring.pointee.slot(sequence).pointee.load(ordering: .relaxed) }

  /// A free block, or else the oldest that was heard; nil where all hold something unheard.
  mutating func take() -> UInt32? {
    releaseDeferred()
    while pool.pointee.available == 0 {
      guard oldest < ring.pointee.pin.load(ordering: .acquiring) else { return nil }
      drop()
    }
    guard let lease = BlockLease(from: pool) else { return nil }
    return lease.putAway()
  }

  /// Drops the oldest blocks until `count` are free; false where what is left was not heard yet.
  ///
  /// What was made room for is there whatever the reader does then: one that goes back in between finds the dropped
  /// blocks gone. With `wraps` what was not heard is dropped too: a reader in the midst of it goes on at the oldest
  /// block that is left.
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

  /// Whether `makeRoom` finds so many free blocks without `wraps`; nothing is dropped.
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

  /// Drops all that is held.
  mutating func dropAll() { while oldest < end { drop() } }

  /// Drops the oldest block, or its run. The reader pins before it looks at `first`, the writer moves `first` before it
  /// looks at the pin: one of the two sees the other. A cursor does as the reader does.
  private mutating func drop() {
    let (oldest, end) = (oldest, end)
    assert(oldest < end, "only what is held is dropped")
    let (index, after) = (slot(oldest), oldest + runCount(oldest))
    let next =
      after < end ? ring.pointee.block(after).pointee.start.ticks : ring.pointee.endTicks.load(ordering: .relaxed)
    ring.pointee.oldestTicks.store(next, ordering: .relaxed)
    ring.pointee.first.store(after, ordering: .sequentiallyConsistent)
    guard isPinned(oldest, after - oldest) else { return release(index) }
    // As many blocks as there are pins: there is a place for this one, or as soon as a pin moves on.
    while true {
      for place in deferred.indices where !deferred[place].isThere {
        deferred[place] = DeferredBlock(sequence: oldest, index: index)
        return
      }
      releaseDeferred()
    }
  }

  /// Gives back the deferred blocks that nobody looks at any more.
  private mutating func releaseDeferred() {
    for place in deferred.indices where isReleasable(deferred[place]) {
      release(deferred[place].index)
      deferred[place].sequence = BlockRing.noBlock
    }
  }

  /// Gives back a block, or the run that begins with it.
  func release(_ index: UInt32) {
    var index = index
    for _ in 0..<pool.pointee.block(index).pointee.runCount {
      let next = pool.pointee.block(index).pointee.next
      giveBack(index)
      index = next
    }
  }

  /// Gives back one block.
  func giveBack(_ index: UInt32) { _ = BlockLease(reclaiming: index, from: pool) }

  /// How many blocks the run takes that begins at a number, 1 where it is none.
  private func runCount(_ sequence: Int) -> Int { Int(ring.pointee.block(sequence).pointee.runCount) }

  private func runCount(_ block: DeferredBlock) -> Int { Int(pool.pointee.block(block.index).pointee.runCount) }

  /// Whether a deferred block is there and nobody looks at it any more.
  private func isReleasable(_ block: DeferredBlock) -> Bool {
    block.isThere && !isPinned(block.sequence, runCount(block))
  }

  /// Whether a pin is at one of `count` blocks. The probe is looked at before the reader's pin: the reader pins its new
  /// place before it takes the probe away, so that in this order one of the two is seen.
  private func isPinned(_ sequence: Int, _ count: Int) -> Bool {
    let blocks = sequence..<sequence + count
    return blocks.contains(ring.pointee.probe.load(ordering: .sequentiallyConsistent))
      || blocks.contains(ring.pointee.pin.load(ordering: .sequentiallyConsistent))
      || blocks.contains(ring.pointee.cursorPin.load(ordering: .sequentiallyConsistent))
  }

  /// The blocks whose release is deferred, all of which were dropped before the block `first`.
  func deferredBlocks(before first: Int, _ check: inout InvariantCheck) -> [UInt32] {
    var blocks: [UInt32] = []
    for place in deferred.indices where deferred[place].isThere {
      var index = deferred[place].index
      for _ in 0..<runCount(deferred[place]) {
        blocks.append(index)
        index = pool.pointee.block(index).pointee.next
      }
      check.require(deferred[place].sequence < first, "block \(deferred[place].sequence) is held and deferred")
    }
    return blocks
  }
}
