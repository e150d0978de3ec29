import Synchronization
import Units

/// A packet in the ring.
public struct HeldPacket: Sendable {
  /// The packet's description.
  public let info: PacketInfo
  /// Stream time of the packet's start.
  public let start: StreamTime
  /// Number of the packet's programme.
  public let epoch: UInt32
  /// Number of the packet's block in the ring.
  public let sequence: Int

  /// Number of bytes in the packet's first block; less than `info.byteCount` only for a run.
  public var firstByteCount: Int { min(info.byteCount, Block.firstPieceByteCount) }
}

/// The reading end of the ring. Decode thread only.
public struct BlockReader: ~Copyable {
  let ring: UnsafePointer<BlockRing>
  private(set) var sequence = 0
  private(set) var place = PacketPlace()
  private var epoch: UInt32 = 0
  /// The unread part of the last packet: pool index of its next block, and number of bytes.
  private(set) var rest = (index: UInt32(0), byteCount: 0)

  /// Creates the only reader of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  /// Returns the buffered duration from the next packet on.
  public mutating func ahead() -> StreamTime {
    let written = ring.pointee.epoch.load(ordering: .acquiring)
    if epoch != written { begin(written) }
    let end = ring.pointee.endTicks.load(ordering: .acquiring)
    // A file's first packet may start later than zero, the position before the first read.
    return StreamTime(ticks: max(0, end - max(place.time.ticks, ring.pointee.oldestTicks.load(ordering: .relaxed))))
  }

  /// Requests or cancels a wake-up for new packets. After a request, each packet is found by the next read or causes a
  /// wake-up.
  ///
  /// The reader stores its flag, executes a fence and then loads the packets. The writer stores packets, executes a
  /// fence and then loads the flag (`BlockWriter.isAwaited`). If either fence is missing, a load may precede the store,
  /// and the reader may sleep although a packet is there.
  public func await(_ isAwaited: Bool) {
    ring.pointee.isAwaited.store(isAwaited, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Returns true if the whole programme has been written.
  public func hasEnded(_ epoch: UInt32) -> Bool { ring.pointee.hasEnded(epoch) }

  /// Number of the programme that the writer appends to.
  public var writtenEpoch: UInt32 { ring.pointee.epoch.load(ordering: .acquiring) }

  /// Stream time of the packet after the last change of the encoder; nil without one.
  public var joinStart: StreamTime? { ring.pointee.join.start }

  /// The clock's estimate for the last change of the encoder; nil if it is not known yet.
  public var joinEstimate: (overlap: StreamTime, lost: StreamTime)? { ring.pointee.join.estimate }

  /// Returns a cursor for the reader's thread. A copy or search protects its block as a search of this reader does.
  public func cursor() -> BlockCursor { BlockCursor(ring, ofReader: true) }

  private mutating func begin(_ written: UInt32) {
    epoch = written
    place.time = .zero
    ring.pointee.readTicks.store(0, ordering: .releasing)
  }

  /// Copies the next packet to `destination`, which has room for a payload. Returns nil at the end of the ring.
  ///
  /// For a packet longer than a block, `more` copies the rest.
  public mutating func next(into destination: UnsafeMutableRawPointer) -> HeldPacket? {
    rest.byteCount = 0
    while true {
      guard let index = pinBlock() else { return nil }
      let end = ring.pointee.end.load(ordering: .sequentiallyConsistent)
      if place.isHeld(index, in: ring) { return copy(index, to: destination) }
      let next = sequence + Int(ring.pointee.pool.pointee.block(index).pointee.runCount)
      if next >= end { return nil }
      step(to: next)
    }
  }

  /// Copies the next part of the last packet and returns the number of bytes; 0 at the packet's end.
  ///
  /// The packet's blocks stay pinned until the next packet is read.
  public mutating func more(into destination: UnsafeMutableRawPointer) -> Int {
    let count = min(rest.byteCount, Block.payloadByteCount)
    guard count > 0 else { return 0 }
    destination.copyMemory(from: ring.pointee.pool.pointee.payload(rest.index), byteCount: count)
    rest = (ring.pointee.pool.pointee.block(rest.index).pointee.next, rest.byteCount - count)
    return count
  }

  /// Moves to the packet at `time`; to the oldest packet if `time` is earlier, or after the newest packet if `time` is
  /// later.
  ///
  /// - Returns: Stream time of the new position; nil if the ring is empty.
  public mutating func seek(to time: StreamTime) -> StreamTime? {
    rest.byteCount = 0
    defer { endProbe() }
    guard let (found, index) = ring.pointee.find(at: time, pin: { probe($0) }) else { return nil }
    // The probe protects the block until the reader has pinned it.
    ring.pointee.pin.store(found, ordering: .sequentiallyConsistent)
    step(to: found)
    enter(index)
    place.seek(to: time, index, in: ring)
    ring.pointee.readTicks.store(place.time.ticks, ordering: .releasing)
    return place.time
  }

  /// Returns the stream time to which `seek` would move, without moving; nil if the ring is empty.
  public func start(at time: StreamTime) -> StreamTime? {
    defer { endProbe() }
    guard let (_, index) = ring.pointee.find(at: time, pin: { probe($0) }) else { return nil }
    var place = PacketPlace()
    place.seek(to: time, index, in: ring)
    return place.time
  }

  /// Protects a block during a search and returns its pool index; nil if it was dropped.
  private func probe(_ sequence: Int) -> UInt32? { ring.pointee.protect(sequence, by: ring.pointee.probe) }

  private func endProbe() { ring.pointee.probe.store(BlockRing.noBlock, ordering: .sequentiallyConsistent) }

  /// Pins the reader's block, or the oldest block if the reader's block was dropped. Returns the pool index; nil if the
  /// block is not yet published.
  ///
  /// Loads `end`, then the slot, then `first`. A slot below `end` is written; a slot at or above `first` is not reused.
  private mutating func pinBlock() -> UInt32? {
    while true {
      ring.pointee.pin.store(sequence, ordering: .sequentiallyConsistent)
      let isThere = sequence < ring.pointee.end.load(ordering: .sequentiallyConsistent)
      let index = ring.pointee.slot(sequence).pointee.load(ordering: .acquiring)
      let first = ring.pointee.first.load(ordering: .sequentiallyConsistent)
      if first <= sequence { return isThere ? index : nil }
      step(to: first)
    }
  }

  private mutating func step(to sequence: Int) {
    self.sequence = sequence
    place.rewind()
  }

  private mutating func copy(_ index: UInt32, to destination: UnsafeMutableRawPointer) -> HeldPacket {
    enter(index)
    let packet = place.copy(index, sequence, in: ring, to: destination)
    let count = packet.info.byteCount - Block.firstPieceByteCount
    if count > 0 { rest = (ring.pointee.pool.pointee.block(index).pointee.next, count) }
    ring.pointee.readTicks.store(place.time.ticks, ordering: .releasing)
    return packet
  }

  /// Restarts the position at zero if the block belongs to another programme.
  private mutating func enter(_ index: UInt32) {
    let block = ring.pointee.pool.pointee.block(index)
    if epoch != block.pointee.epoch { begin(block.pointee.epoch) }
  }
}
