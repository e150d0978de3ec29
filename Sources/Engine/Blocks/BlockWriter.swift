import Synchronization
import Units

/// The end of the ring that fills it; one thread owns it.
public struct BlockWriter: ~Copyable {
  let ring: UnsafePointer<BlockRing>
  /// Dropped blocks that were pinned when they were dropped. There are three pins: the reader's place, its probe, and a
  /// cursor's.
  private var deferred = InlineArray<3, DeferredBlock>(repeating: DeferredBlock())
  private var isOpen = false
  /// Blocks behind the newest that are filled and not yet published.
  var stagedBlocks = 0

  /// Blocks that have to be free before a read of a connection is taken, which may bring so many.
  public static let readRoom = 12

  /// A dropped block whose release is deferred until its pin moves on.
  private struct DeferredBlock: BitwiseCopyable {
    /// Its number in the ring; `noBlock` where there is none.
    var sequence = BlockRing.noBlock
    var index: UInt32 = 0

    var isThere: Bool { sequence != BlockRing.noBlock }
  }

  /// The one writer of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  /// The programme being written.
  public var epoch: UInt32 { ring.pointee.epoch.load(ordering: .relaxed) }

  /// Stream time at the end of what was written.
  public var time: StreamTime { StreamTime(ticks: ring.pointee.endTicks.load(ordering: .relaxed)) }

  /// What is written but not yet read.
  public var ahead: StreamTime {
    let read = ring.pointee.readTicks.load(ordering: .acquiring)
    return time - StreamTime(ticks: max(read, ring.pointee.oldestTicks.load(ordering: .relaxed)))
  }

  /// What is held of the programme, heard or not.
  public var held: StreamTime {
    let first = ring.pointee.first.load(ordering: .relaxed)
    return first < end ? time - ring.pointee.block(first).pointee.start : .zero
  }

  var pool: UnsafePointer<BlockPool> { ring.pointee.pool }

  /// The number that the next block gets.
  var end: Int { ring.pointee.end.load(ordering: .relaxed) }

  func slot(_ sequence: Int) -> UInt32 { ring.pointee.slot(sequence).pointee.load(ordering: .relaxed) }

  private func setSlot(_ sequence: Int, _ index: UInt32) {
    ring.pointee.slot(sequence).pointee.store(index, ordering: .releasing)
  }

  /// Makes a filled block the newest.
  mutating func append(_ index: UInt32) {
    let sequence = end
    setSlot(sequence, index)
    open(sequence)
  }

  /// Makes the block of the next number the newest: a reader that sees the end sees when the block begins.
  private mutating func open(_ sequence: Int) {
    isOpen = true
    ring.pointee.newestTicks.store(ring.pointee.block(sequence).pointee.start.ticks, ordering: .relaxed)
    ring.pointee.end.store(sequence + 1, ordering: .sequentiallyConsistent)
  }

  /// Whether the reader sleeps until packets come.
  public var isAwaited: Bool {
    // What was appended must be visible before the flag is looked at; the reader does the reverse (`await`).
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return ring.pointee.isAwaited.load(ordering: .relaxed)
  }

  /// Drops the oldest blocks until `count` are free; false where what is left was not heard yet.
  ///
  /// What was made room for is there whatever the reader does then: one that goes back in between finds the dropped
  /// blocks gone. With `wraps` what was not heard is dropped too: a reader in the midst of it goes on at the oldest
  /// block that is left.
  public mutating func makeRoom(_ count: Int, wraps: Bool = false) -> Bool {
    releaseDeferred()
    // The newest block is still being filled.
    let newest = end - 1
    while pool.pointee.available < count {
      let oldest = ring.pointee.first.load(ordering: .relaxed)
      guard oldest < newest, wraps || oldest < ring.pointee.pin.load(ordering: .acquiring) else { return false }
      drop(oldest)
    }
    return true
  }

  /// Whether `makeRoom` finds so many free blocks without `wraps`; nothing is dropped.
  public func canFree(_ count: Int) -> Bool {
    var free = pool.pointee.available
    var sequence = ring.pointee.first.load(ordering: .relaxed)
    let unheard = min(end - 1, ring.pointee.pin.load(ordering: .acquiring))
    while free < count, sequence < unheard {
      if !isPinned(sequence) { free += 1 }
      sequence += 1
    }
    for place in deferred.indices where deferred[place].isThere && !isPinned(deferred[place].sequence) {
      free += 1
    }
    return free >= count
  }

  /// Forgets all that is held and begins the programme `epoch` at stream time zero.
  public mutating func begin(epoch: UInt32) {
    let end = ring.pointee.end.load(ordering: .relaxed)
    var oldest = ring.pointee.first.load(ordering: .relaxed)
    while oldest < end {
      drop(oldest)
      oldest += 1
    }
    isOpen = false
    unstage()
    start(at: .zero)
    ring.pointee.writtenBytes.store(0, ordering: .relaxed)
    ring.pointee.readTicks.store(0, ordering: .relaxed)
    ring.pointee.epoch.store(epoch, ordering: .releasing)
  }

  /// Says before a programme's first packet when that sounds.
  public mutating func start(at time: StreamTime) {
    ring.pointee.startTicks.store(time.ticks, ordering: .relaxed)
    // A reader that sees the end sees the beginning.
    ring.pointee.oldestTicks.store(time.ticks, ordering: .relaxed)
    ring.pointee.endTicks.store(time.ticks, ordering: .releasing)
  }

  /// Tells the reader that the programme's last packet is in.
  public mutating func finish() {
    isOpen = false
    ring.pointee.endedEpoch.store(epoch, ordering: .releasing)
  }

  /// Appends one packet; false when every block holds something unheard.
  ///
  /// A packet larger than a block's payload cannot be held; the framer refuses such.
  public mutating func append(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    precondition(bytes.count == info.byteCount, "a packet is as long as its bytes")
    let cost = PacketRecord.cost(info.byteCount)
    precondition(cost <= Block.payloadByteCount, "a packet fits into one block")
    precondition(stagedBlocks == 0, "what is staged is published or dropped first")
    let end = ring.pointee.end.load(ordering: .relaxed)
    if !isOpen || !hasRoom(end - 1, cost) {
      guard lease(end, for: info, startingAt: time) else { return false }
      put(info, bytes, into: end)
      open(end)
    } else {
      put(info, bytes, into: end - 1)
    }
    count(info.byteCount, info.duration)
    return true
  }

  func hasRoom(_ sequence: Int, _ cost: Int) -> Bool {
    ring.pointee.block(sequence).pointee.used.load(ordering: .relaxed) + cost <= Block.payloadByteCount
  }

  /// Copies a packet behind the last one of a block.
  func put(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, into sequence: Int) {
    let index = slot(sequence)
    let block = ring.pointee.pool.pointee.block(index)
    let used = block.pointee.used.load(ordering: .relaxed)
    assert(used + PacketRecord.cost(info.byteCount) <= Block.payloadByteCount, "a packet ends within its block")
    let place = ring.pointee.pool.pointee.payload(index) + used
    place.storeBytes(of: PacketRecord(info, blockOffset: block.pointee.byteOffset), as: PacketRecord.self)
    UnsafeMutableRawBufferPointer(start: place + MemoryLayout<PacketRecord>.stride, count: bytes.count)
      .copyMemory(from: bytes)
    block.pointee.used.store(used + PacketRecord.cost(info.byteCount), ordering: .releasing)
  }

  /// Adds to what the programme has.
  func count(_ bytes: Int, _ duration: StreamTime) {
    ring.pointee.writtenBytes.add(bytes, ordering: .relaxed)
    ring.pointee.endTicks.store((time + duration).ticks, ordering: .releasing)
  }

  /// Puts a free block, or the oldest heard one, into a slot; false when there is none to be had.
  mutating func lease(_ sequence: Int, for info: PacketInfo, startingAt start: StreamTime) -> Bool {
    assert(sequence == end + stagedBlocks, "blocks are filled one after the other")
    releaseDeferred()
    if ring.pointee.pool.pointee.available == 0 {
      let oldest = ring.pointee.first.load(ordering: .relaxed)
      guard oldest < ring.pointee.pin.load(ordering: .acquiring) else { return false }
      drop(oldest)
    }
    guard let lease = BlockLease(from: ring.pointee.pool) else { return false }
    let block = ring.pointee.pool.pointee.block(lease.index)
    block.pointee.used.store(0, ordering: .relaxed)
    block.pointee.sequence = sequence
    block.pointee.epoch = epoch
    block.pointee.firstOffset = 0
    block.pointee.start = start
    block.pointee.byteOffset = info.byteOffset
    setSlot(sequence, lease.putAway())
    return true
  }

  /// Drops the oldest block. The reader pins before it looks at `first`, the writer moves `first` before it looks at
  /// the pin: one of the two sees the other. A cursor does as the reader does.
  private mutating func drop(_ oldest: Int) {
    assert(oldest == ring.pointee.first.load(ordering: .relaxed) && oldest < end, "the oldest block is dropped")
    let index = slot(oldest)
    let next = oldest + 1 < end ? ring.pointee.block(oldest + 1).pointee.start : time
    ring.pointee.oldestTicks.store(next.ticks, ordering: .relaxed)
    ring.pointee.first.store(oldest + 1, ordering: .sequentiallyConsistent)
    guard isPinned(oldest) else { return release(index) }
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
    for place in deferred.indices where deferred[place].isThere && !isPinned(deferred[place].sequence) {
      release(deferred[place].index)
      deferred[place].sequence = BlockRing.noBlock
    }
  }

  /// The rules that are broken, of the ring and its pool too. Only while the other end stands still.
  func checkInvariants() -> [String] {
    var check = InvariantCheck(ring.pointee.checkInvariants() + pool.pointee.checkInvariants())
    let first = ring.pointee.first.load(ordering: .relaxed)
    check.require(stagedBlocks >= 0 && end - first + stagedBlocks <= ring.pointee.slotCount, "\(stagedBlocks) wait")
    check.require(!isOpen || first < end, "a block is being filled that is not there")
    guard check.isWhole else { return check.broken }
    for sequence in end..<(end + stagedBlocks) { _ = ring.pointee.content(of: sequence, &check) }
    var blocks = pool.pointee.freeBlocks
    for sequence in first..<(end + stagedBlocks) { blocks.append(slot(sequence)) }
    for place in deferred.indices where deferred[place].isThere {
      blocks.append(deferred[place].index)
      check.require(deferred[place].sequence < first, "block \(deferred[place].sequence) is held and deferred")
    }
    check.require(
      blocks.sorted() == (0..<UInt32(pool.pointee.count)).map { $0 },
      "each block is free, held, waiting or deferred, once: \(blocks)")
    return check.broken
  }

  private func release(_ index: UInt32) { _ = BlockLease(reclaiming: index, from: ring.pointee.pool) }

  /// The probe is looked at before the reader's pin: the reader pins its new place before it takes the probe away, so
  /// that in this order one of the two is seen.
  private func isPinned(_ sequence: Int) -> Bool {
    ring.pointee.probe.load(ordering: .sequentiallyConsistent) == sequence
      || ring.pointee.pin.load(ordering: .sequentiallyConsistent) == sequence
      || ring.pointee.cursorPin.load(ordering: .sequentiallyConsistent) == sequence
  }
}
