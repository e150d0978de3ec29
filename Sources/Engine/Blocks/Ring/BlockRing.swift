import Synchronization
import Units

/// The radio's buffer: complete packets in blocks, in programme order. The net thread writes, the decode thread reads,
/// and the control thread copies with cursors.
///
/// Blocks have numbers from 0; the ring contains `first ..< end`. The writer appends, and drops the oldest played block
/// if the pool is empty. The reader moves freely: a rewind changes an index and copies nothing.
///
/// The reader pins its current block. A drop may remove a pinned block from the ring, but does not free it. All blocks
/// before the reader's block count as played. During a search, the reader protects blocks with a probe, which does not
/// mark earlier blocks as played.
public struct BlockRing: ~Copyable, @unchecked Sendable {
  static let noBlock = -1

  let pool: UnsafePointer<BlockPool>
  private let slots: UnsafeMutablePointer<Atomic<UInt32>>
  let slotCount: Int

  let first = Atomic<Int>(0)
  let end = Atomic<Int>(0)
  /// Number of the reader's current block; earlier ones count as played.
  let pin = Atomic<Int>(0)
  /// Number of the block protected during the reader's search, or `noBlock`.
  let probe = Atomic<Int>(noBlock)
  /// Number of the block protected during a cursor's copy or search, or `noBlock`.
  let cursorPin = Atomic<Int>(noBlock)
  let oldestTicks = Atomic<Int64>(0)
  /// Start time of the newest block or run.
  let newestTicks = Atomic<Int64>(0)
  let endTicks = Atomic<Int64>(0)
  let writtenBytes = Atomic<Int>(0)
  let readTicks = Atomic<Int64>(0)
  let isAwaited = Atomic<Bool>(false)
  /// Number of the programme that is being written; `endedEpoch` equals it when the programme is complete.
  let epoch = Atomic<UInt32>(0)
  let endedEpoch = Atomic<UInt32>(0)
  /// Start of the programme's first packet; zero unless `BlockWriter.start` was called.
  let startTicks = Atomic<Int64>(0)
  let join = JoinMark()

  static func cost(_ blockCount: Int) -> ByteCount {
    Arena.cost(of: BlockRing.self) + Arena.cost(of: BlockPool.self)
      + Arena.cost(of: Atomic<UInt32>.self, count: blockCount)
  }

  private init(pool: UnsafePointer<BlockPool>, slots: UnsafeMutablePointer<Atomic<UInt32>>, slotCount: Int) {
    self.pool = pool
    self.slots = slots
    self.slotCount = slotCount
  }

  /// Creates a ring and a pool of `blockCount` blocks in an arena.
  public static func make(blockCount: Int, in arena: Arena) -> UnsafePointer<BlockRing> {
    let pool = arena.reserve(BlockPool.self)
    pool.initialize(to: BlockPool(blockCount, in: arena))
    return make(slotCount: blockCount, of: UnsafePointer(pool), in: arena)
  }

  /// Creates a ring of at most `slotCount` blocks in a pool of several rings.
  static func make(slotCount: Int, of pool: UnsafePointer<BlockPool>, in arena: Arena) -> UnsafePointer<BlockRing> {
    let slots = arena.reserve(Atomic<UInt32>.self, count: slotCount)
    for slot in 0..<slotCount { (slots + slot).initialize(to: Atomic(0)) }
    let ring = arena.reserve(BlockRing.self)
    ring.initialize(to: BlockRing(pool: pool, slots: slots, slotCount: slotCount))
    return UnsafePointer(ring)
  }

  func slot(_ sequence: Int) -> UnsafeMutablePointer<Atomic<UInt32>> { slots + sequence % slotCount }

  /// Returns a block's header. Writer only; other threads must pin the block first, and then load the slot.
  func block(_ sequence: Int) -> UnsafeMutablePointer<Block> {
    pool.pointee.block(slot(sequence).pointee.load(ordering: .relaxed))
  }

  /// Protects a block by a pin of the calling thread. Returns its pool index; nil if the block was dropped.
  func protect(_ sequence: Int, by pin: borrowing Atomic<Int>) -> UInt32? {
    pin.store(sequence, ordering: .sequentiallyConsistent)
    let index = slot(sequence).pointee.load(ordering: .acquiring)
    return first.load(ordering: .sequentiallyConsistent) <= sequence ? index : nil
  }

  /// The fill level and the reader's position, not all from the same moment. Any thread.
  public var statistics: BlockStatistics {
    let end = endTicks.load(ordering: .relaxed)
    let first = first.load(ordering: .relaxed)
    let blocks = max(0, self.end.load(ordering: .relaxed) - first)
    let oldest = oldestTicks.load(ordering: .relaxed)
    let (read, start) = (readTicks.load(ordering: .relaxed), startTicks.load(ordering: .relaxed))
    return BlockStatistics(
      blockCount: pool.pointee.count, usedCount: pool.pointee.count - pool.pointee.available, heldCount: blocks,
      playing: pin.load(ordering: .relaxed) % slotCount,
      ahead: StreamTime(ticks: max(0, end - max(oldest, read))),
      start: StreamTime(ticks: start), oldest: StreamTime(ticks: oldest),
      newestBlock: StreamTime(ticks: newestTicks.load(ordering: .relaxed)),
      written: StreamTime(ticks: end), hasOverwritten: oldest > start && oldest > read,
      byteCount: ByteCount(writtenBytes.load(ordering: .relaxed)))
  }

  /// Number of the programme that is being written. Any thread.
  public var writtenEpoch: UInt32 { epoch.load(ordering: .acquiring) }

  /// Returns true if the whole programme has been written.
  public func hasEnded(_ epoch: UInt32) -> Bool { endedEpoch.load(ordering: .acquiring) == epoch }
}

extension BlockRing {
  /// Finds the last block that starts at or before `time`, otherwise the oldest; in a run, the first block. Uses a
  /// binary search. Returns nil if the ring is empty.
  ///
  /// `pin` protects a block, and returns nil if it was dropped. The block protected last is the result.
  func find(at time: StreamTime, pin: (Int) -> UInt32?) -> (sequence: Int, index: UInt32)? {
    while true {
      var low = first.load(ordering: .sequentiallyConsistent)
      var high = end.load(ordering: .sequentiallyConsistent)
      guard low < high else { return nil }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        // The block was dropped meanwhile, with all earlier blocks.
        guard let index = pin(middle) else {
          low = middle
          continue
        }
        if pool.pointee.block(index).pointee.start <= time { low = middle } else { high = middle }
      }
      guard let index = pin(low) else { continue }
      // The search may end in the last block of the newest run.
      let head = low - Int(pool.pointee.block(index).pointee.runIndex)
      if head == low { return (low, index) }
      if let index = pin(head) { return (head, index) }
    }
  }
}
