import Synchronization
import Units

/// The writing end of the ring. Net thread only.
public struct BlockWriter: ~Copyable {
  let ring: UnsafePointer<BlockRing>
  var reclaimer: BlockReclaimer
  var isOpen = false
  /// Number of filled blocks from `end` on that are not yet published.
  var stagedBlocks = 0

  /// Free blocks required before a read from a connection, because one read adds at most this many blocks.
  public static let readRoom = 12

  /// Minimum number of packets that must fit into the ring, whatever their size.
  private static let minPackets = 4

  /// Creates the only writer of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) {
    self.ring = ring
    reclaimer = BlockReclaimer(ring)
  }

  /// Returns the number of blocks needed for packets of `byteCount` bytes; nil if this ring has enough blocks.
  public func blocksNeeded(for byteCount: Int) -> Int? {
    let needed = Self.minPackets * Block.runCount(byteCount)
    return needed > ring.pointee.slotCount ? needed : nil
  }

  /// Returns the free blocks required before a read. `byteCount`: bytes already received of an incomplete packet.
  public func room(beside byteCount: Int) -> Int {
    // The newest packet stays until the next arrives, and uses at most a quarter of the ring.
    let count = ring.pointee.slotCount
    let longest = count - count / Self.minPackets - Self.readRoom
    return Self.readRoom + max(0, min(Block.runCount(byteCount) - 1, longest))
  }

  /// Number of the programme that is being written.
  public var epoch: UInt32 { ring.pointee.epoch.load(ordering: .relaxed) }

  /// Stream time of the newest packet's end.
  public var time: StreamTime { StreamTime(ticks: ring.pointee.endTicks.load(ordering: .relaxed)) }

  /// Duration in the ring that is not yet read by the decoder.
  public var ahead: StreamTime {
    let read = ring.pointee.readTicks.load(ordering: .acquiring)
    return time - StreamTime(ticks: max(read, ring.pointee.oldestTicks.load(ordering: .relaxed)))
  }

  /// Duration in the ring, played or not, without staged packets.
  public var held: StreamTime {
    let first = ring.pointee.first.load(ordering: .relaxed)
    return first < end ? time - ring.pointee.block(first).pointee.start : .zero
  }

  var pool: UnsafePointer<BlockPool> { ring.pointee.pool }

  var end: Int { ring.pointee.end.load(ordering: .relaxed) }

  func slot(_ sequence: Int) -> UInt32 { ring.pointee.slot(sequence).pointee.load(ordering: .relaxed) }

  func setSlot(_ sequence: Int, _ index: UInt32) {
    ring.pointee.slot(sequence).pointee.store(index, ordering: .releasing)
  }

  /// Publishes a filled block, or the run that it starts.
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

  /// Publishes blocks. A reader that sees `end` also sees the blocks' slots, headers and packets.
  mutating func open(_ sequence: Int, _ count: Int) {
    isOpen = true
    ring.pointee.newestTicks.store(ring.pointee.block(sequence).pointee.start.ticks, ordering: .relaxed)
    ring.pointee.end.store(sequence + count, ordering: .sequentiallyConsistent)
  }

  /// True if the reader sleeps until packets arrive.
  public var isAwaited: Bool {
    // Orders the stores of packets before the load of the flag; the reader does the reverse (`await`).
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return ring.pointee.isAwaited.load(ordering: .relaxed)
  }

  /// Drops the oldest played blocks until `count` are free. Returns false if too few become free.
  ///
  /// The newest block or run stays. The free blocks stay available even if the reader seeks back meanwhile.
  /// `wraps` also drops unplayed blocks; the reader then continues at the oldest remaining block.
  public mutating func makeRoom(_ count: Int, wraps: Bool = false) -> Bool {
    reclaimer.makeRoom(count, wraps: wraps)
  }

  /// Returns true if `makeRoom` could free `count` blocks without `wraps`; drops nothing.
  public func canFree(_ count: Int) -> Bool { reclaimer.canFree(count) }

  /// Drops all blocks, staged ones too, and starts the programme `epoch` at stream time zero.
  public mutating func begin(epoch: UInt32) {
    releasePosition()
    reclaimer.dropAll()
    ring.pointee.join.reset()
    isOpen = false
    unstage()
    start(at: .zero)
    ring.pointee.writtenBytes.store(0, ordering: .relaxed)
    ring.pointee.readTicks.store(0, ordering: .relaxed)
    ring.pointee.epoch.store(epoch, ordering: .releasing)
  }

  /// Sets the start time of a programme before its first packet.
  public mutating func start(at time: StreamTime) {
    ring.pointee.startTicks.store(time.ticks, ordering: .relaxed)
    // A reader that sees `endTicks` also sees `oldestTicks`.
    ring.pointee.oldestTicks.store(time.ticks, ordering: .relaxed)
    ring.pointee.endTicks.store(time.ticks, ordering: .releasing)
  }

  /// Marks the programme as complete. A later packet starts a new block.
  public mutating func finish() {
    isOpen = false
    ring.pointee.endedEpoch.store(epoch, ordering: .releasing)
  }

  /// Appends a packet; returns false if too many blocks are unplayed. Traps if packets are staged.
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

  /// Copies a packet into a block after the last packet, or into the run that starts there.
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

  private func put(_ bytes: UnsafeRawBufferPointer, from first: Int, behind index: UInt32) {
    var (index, offset) = (pool.pointee.block(index).pointee.next, first)
    while offset < bytes.count {
      let end = min(bytes.count, offset + Block.payloadByteCount)
      UnsafeMutableRawBufferPointer(start: pool.pointee.payload(index), count: end - offset)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      (index, offset) = (pool.pointee.block(index).pointee.next, end)
    }
  }

  func count(_ bytes: Int, _ duration: StreamTime) {
    ring.pointee.writtenBytes.add(bytes, ordering: .relaxed)
    ring.pointee.endTicks.store((time + duration).ticks, ordering: .releasing)
  }

  /// Allocates the blocks for a packet and assigns them to slots; drops played blocks if necessary. Returns the number
  /// of blocks; nil if too few are available.
  mutating func lease(_ sequence: Int, for info: PacketInfo, startingAt start: StreamTime) -> Int? {
    assert(sequence == end + stagedBlocks, "blocks are filled one after the other")
    let count = Block.runCount(info.byteCount)
    for place in 0..<count {
      guard let index = reclaimer.acquire() else {
        for place in 0..<place { reclaimer.free(slot(sequence + place)) }
        return nil
      }
      let block = pool.pointee.block(index)
      // A search must find no packet in the later blocks of a run.
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
}
