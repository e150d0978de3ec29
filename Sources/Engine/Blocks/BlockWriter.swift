import Synchronization
import Units

/// The end of the ring that fills it; one thread owns it.
public struct BlockWriter: ~Copyable {
  let ring: UnsafePointer<BlockRing>
  var reclaimer: BlockReclaimer
  private var isOpen = false
  /// Blocks behind the newest that are filled and not yet published.
  var stagedBlocks = 0

  /// Blocks that have to be free before a read of a connection is taken, which may bring so many.
  public static let readRoom = 12

  /// So many of the longest packets the ring has to hold.
  private static let fewestPackets = 4

  /// The one writer of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) {
    self.ring = ring
    reclaimer = BlockReclaimer(ring)
  }

  /// So many blocks a ring needs for packets of so many bytes; nil where this one holds four of them.
  public func blocksNeeded(for byteCount: Int) -> Int? {
    let needed = Self.fewestPackets * Block.runCount(byteCount)
    return needed > pool.pointee.count ? needed : nil
  }

  /// Blocks that have to be free before a read of a connection is taken of which `byteCount` bytes came before that are
  /// no whole packet yet.
  public func room(beside byteCount: Int) -> Int {
    // The newest packet stays in the ring until another comes, and takes no more than a quarter of it.
    let longest = pool.pointee.count - pool.pointee.count / Self.fewestPackets - Self.readRoom
    return Self.readRoom + max(0, min(Block.runCount(byteCount) - 1, longest))
  }

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

  /// Makes a filled block the newest, or a run of blocks: that one and those that follow it in the pool.
  mutating func append(_ index: UInt32, startingAt start: StreamTime, _ duration: StreamTime) {
    let (sequence, count) = (end, Int(pool.pointee.block(index).pointee.runCount))
    var index = index
    for place in 0..<count {
      let block = pool.pointee.block(index)
      block.pointee.sequence = sequence + place
      block.pointee.start = place == 0 ? start : start + duration
      setSlot(sequence + place, index)
      index = block.pointee.next
    }
    open(sequence, count)
  }

  /// Makes the blocks of the next numbers the newest: a reader that sees the end sees when they begin.
  private mutating func open(_ sequence: Int, _ count: Int) {
    isOpen = true
    ring.pointee.newestTicks.store(ring.pointee.block(sequence).pointee.start.ticks, ordering: .relaxed)
    ring.pointee.end.store(sequence + count, ordering: .sequentiallyConsistent)
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
    reclaimer.makeRoom(count, wraps: wraps)
  }

  /// Whether `makeRoom` finds so many free blocks without `wraps`; nothing is dropped.
  public func canFree(_ count: Int) -> Bool { reclaimer.canFree(count) }

  /// Forgets all that is held and begins the programme `epoch` at stream time zero.
  public mutating func begin(epoch: UInt32) {
    reclaimer.dropAll()
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

  /// Appends one packet; false when too many blocks hold something unheard.
  public mutating func append(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    precondition(bytes.count == info.byteCount, "a packet is as long as its bytes")
    precondition(stagedBlocks == 0, "what is staged is published or dropped first")
    let end = ring.pointee.end.load(ordering: .relaxed)
    if !isOpen || !hasRoom(end - 1, PacketRecord.cost(info.byteCount)) {
      guard let count = lease(end, for: info, startingAt: time) else { return false }
      put(info, bytes, into: end)
      open(end, count)
    } else {
      put(info, bytes, into: end - 1)
    }
    count(info.byteCount, info.heldDuration)
    return true
  }

  func hasRoom(_ sequence: Int, _ cost: Int) -> Bool {
    ring.pointee.block(sequence).pointee.used.load(ordering: .relaxed) + cost <= Block.payloadByteCount
  }

  /// Copies a packet behind the last one of a block, or into the run that begins there.
  func put(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, into sequence: Int) {
    let index = slot(sequence)
    let block = pool.pointee.block(index)
    let used = block.pointee.used.load(ordering: .relaxed)
    let cost = PacketRecord.cost(info.byteCount)
    assert(used + cost <= Block.payloadByteCount || used == 0, "a packet ends within its block, or has a run")
    let place = pool.pointee.payload(index) + used
    place.storeBytes(of: PacketRecord(info, blockOffset: block.pointee.byteOffset), as: PacketRecord.self)
    let first = min(bytes.count, Block.firstPieceByteCount)
    UnsafeMutableRawBufferPointer(start: place + MemoryLayout<PacketRecord>.stride, count: first)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<first]))
    if bytes.count > first { put(bytes, from: first, behind: index) }
    block.pointee.used.store(min(Block.payloadByteCount, used + cost), ordering: .releasing)
  }

  /// Copies what of a packet is left from a byte on into the blocks that follow one in its run.
  private func put(_ bytes: UnsafeRawBufferPointer, from first: Int, behind index: UInt32) {
    var (index, offset) = (pool.pointee.block(index).pointee.next, first)
    while offset < bytes.count {
      let end = min(bytes.count, offset + Block.payloadByteCount)
      UnsafeMutableRawBufferPointer(start: pool.pointee.payload(index), count: end - offset)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      (index, offset) = (pool.pointee.block(index).pointee.next, end)
    }
  }

  /// Adds to what the programme has.
  func count(_ bytes: Int, _ duration: StreamTime) {
    ring.pointee.writtenBytes.add(bytes, ordering: .relaxed)
    ring.pointee.endTicks.store((time + duration).ticks, ordering: .releasing)
  }

  /// Puts as many free blocks, or the oldest heard ones, into slots as a packet takes, and says how many; nil when
  /// there are not so many to be had.
  mutating func lease(_ sequence: Int, for info: PacketInfo, startingAt start: StreamTime) -> Int? {
    assert(sequence == end + stagedBlocks, "blocks are filled one after the other")
    let count = Block.runCount(info.byteCount)
    for place in 0..<count {
      guard let index = reclaimer.take() else {
        for place in 0..<place { reclaimer.giveBack(slot(sequence + place)) }
        return nil
      }
      let block = pool.pointee.block(index)
      // Whoever looks for packets in the midst of a run finds none.
      let used = place == 0 ? 0 : Block.payloadByteCount
      block.pointee.used.store(used, ordering: .relaxed)
      block.pointee.firstOffset = UInt32(used)
      block.pointee.sequence = sequence + place
      block.pointee.epoch = epoch
      block.pointee.start = place == 0 ? start : start + info.heldDuration
      block.pointee.byteOffset = info.byteOffset
      (block.pointee.runCount, block.pointee.runIndex) = (UInt32(count), UInt32(place))
      if place > 0 { pool.pointee.block(slot(sequence + place - 1)).pointee.next = index }
      setSlot(sequence + place, index)
    }
    return count
  }

  /// The rules that are broken, of the ring and its pool too. Only while the other end stands still.
  func checkInvariants() -> [String] {
    var check = InvariantCheck(ring.pointee.checkInvariants() + pool.pointee.checkInvariants())
    let first = ring.pointee.first.load(ordering: .relaxed)
    check.require(stagedBlocks >= 0 && end - first + stagedBlocks <= ring.pointee.slotCount, "\(stagedBlocks) wait")
    check.require(!isOpen || first < end, "a block is being filled that is not there")
    guard check.isWhole else { return check.broken }
    for sequence in end..<(end + stagedBlocks) where ring.pointee.block(sequence).pointee.runIndex == 0 {
      _ = ring.pointee.content(of: sequence, &check)
    }
    var blocks = pool.pointee.freeBlocks
    for sequence in first..<(end + stagedBlocks) { blocks.append(slot(sequence)) }
    blocks += reclaimer.deferredBlocks(before: first, &check)
    check.require(
      blocks.sorted() == (0..<UInt32(pool.pointee.count)).map { $0 },
      "each block is free, held, waiting or deferred, once: \(blocks)")
    return check.broken
  }

}
