import Synchronization
import Units

/// The end of the ring that fills it; one thread owns it.
public struct BlockWriter: ~Copyable {
  private let ring: UnsafePointer<BlockRing>
  /// A dropped block in which the reader still stood.
  private var limbo: BlockLease?
  private var limboSequence = -1
  private var isOpen = false

  /// The one writer of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  /// The programme being written.
  public var epoch: UInt32 { ring.pointee.epoch.load(ordering: .relaxed) }

  /// Stream time at the end of what was written.
  public var time: StreamTime { StreamTime(ticks: ring.pointee.endTicks.load(ordering: .relaxed)) }

  /// What is written but not yet read.
  public var ahead: StreamTime {
    time - StreamTime(ticks: ring.pointee.readTicks.load(ordering: .acquiring))
  }

  /// Whether the reader sleeps until packets come.
  public var isAwaited: Bool {
    // What was appended must be visible before the flag is looked at: the reader sets it before it looks for packets.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    return ring.pointee.isAwaited.load(ordering: .relaxed)
  }

  /// Blocks that packets can still go into before the oldest unheard one is reached.
  public var freeBlockCount: Int {
    let heard = max(0, ring.pointee.pin.load(ordering: .acquiring) - ring.pointee.first.load(ordering: .relaxed))
    return ring.pointee.pool.pointee.available + heard
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
    ring.pointee.endTicks.store(0, ordering: .relaxed)
    ring.pointee.writtenBytes.store(0, ordering: .relaxed)
    ring.pointee.readTicks.store(0, ordering: .relaxed)
    ring.pointee.epoch.store(epoch, ordering: .releasing)
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
    let newest = ring.pointee.end.load(ordering: .relaxed) - 1
    if !isOpen || used(newest) + cost > Block.payloadByteCount {
      guard open(newest + 1, for: info) else { return false }
    }
    let sequence = ring.pointee.end.load(ordering: .relaxed) - 1
    let index = ring.pointee.index(sequence)
    let block = ring.pointee.pool.pointee.block(index)
    let used = block.pointee.used.load(ordering: .relaxed)
    let place = ring.pointee.pool.pointee.payload(index) + used
    place.storeBytes(of: PacketRecord(info, blockOffset: block.pointee.byteOffset), as: PacketRecord.self)
    UnsafeMutableRawBufferPointer(start: place + MemoryLayout<PacketRecord>.stride, count: bytes.count)
      .copyMemory(from: bytes)
    block.pointee.used.store(used + cost, ordering: .releasing)
    ring.pointee.writtenBytes.add(info.byteCount, ordering: .relaxed)
    ring.pointee.endTicks.store((time + info.duration).ticks, ordering: .releasing)
    return true
  }

  /// What is used of a held block.
  private func used(_ sequence: Int) -> Int {
    ring.pointee.pool.pointee.block(ring.pointee.index(sequence)).pointee.used.load(ordering: .relaxed)
  }

  /// Begins a block; false when there is none to be had.
  private mutating func open(_ sequence: Int, for info: PacketInfo) -> Bool {
    releaseLimbo()
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
    block.pointee.start = time
    block.pointee.byteOffset = info.byteOffset
    ring.pointee.setIndex(sequence, lease.putAway())
    ring.pointee.end.store(sequence + 1, ordering: .sequentiallyConsistent)
    isOpen = true
    return true
  }

  /// Drops the oldest block. The reader pins before it looks at `first`, the writer moves `first` before it looks at
  /// the pin: one of the two sees the other.
  private mutating func drop(_ oldest: Int) {
    let lease = BlockLease(reclaiming: ring.pointee.index(oldest), from: ring.pointee.pool)
    ring.pointee.first.store(oldest + 1, ordering: .sequentiallyConsistent)
    guard ring.pointee.pin.load(ordering: .sequentiallyConsistent) == oldest else { return }
    releaseLimbo()
    limbo = consume lease
    limboSequence = oldest
  }

  private mutating func releaseLimbo() {
    if limbo != nil, ring.pointee.pin.load(ordering: .sequentiallyConsistent) != limboSequence { limbo = nil }
  }
}
