import Synchronization
import Units

/// A place in the ring from which packets are copied elsewhere, into a file for instance; nothing waits for it.
///
/// All cursors of a ring belong to one thread, whichever that is. A block is pinned only while a packet is copied out
/// of it, so that a slow owner holds nothing up: what was dropped before it came is gone, and it is told.
public struct BlockCursor: @unchecked Sendable {
  private let ring: UnsafePointer<BlockRing>
  private var sequence: Int
  /// Where the next packet lies in the block's payload; -1 before the block's first.
  private var offset = -1
  private var time = StreamTime.zero
  /// Whether packets were dropped before this cursor came to them; whoever minds it resets it.
  public var hasLost = false

  /// A cursor before the oldest packet held, or before the next one that comes.
  public init(_ ring: UnsafePointer<BlockRing>) {
    self.ring = ring
    sequence = ring.pointee.first.load(ordering: .acquiring)
  }

  /// Copies the next packet to `destination`, which has room for a block's payload; nil when nothing more is held.
  public mutating func next(into destination: UnsafeMutableRawPointer) -> HeldPacket? {
    defer { unpin() }
    while true {
      let end = ring.pointee.end.load(ordering: .sequentiallyConsistent)
      if sequence >= end, sequence >= ring.pointee.first.load(ordering: .sequentiallyConsistent) { return nil }
      guard let index = pin(sequence) else {
        hasLost = true
        step(to: ring.pointee.first.load(ordering: .sequentiallyConsistent))
        continue
      }
      let block = ring.pointee.pool.pointee.block(index)
      let place = offset < 0 ? Int(block.pointee.firstOffset) : offset
      if place < block.pointee.used.load(ordering: .acquiring) {
        return copy(block, ring.pointee.pool.pointee.payload(index), to: destination)
      }
      if sequence + 1 >= end { return nil }
      step(to: sequence + 1)
    }
  }

  /// Moves to the packet that sounds at `time`, or to the nearest that is held: the oldest one, or behind the newest.
  /// What was lost before is forgotten.
  ///
  /// - Returns: The stream time of the packet; nil where nothing is held.
  @discardableResult
  public mutating func seek(to time: StreamTime) -> StreamTime? {
    defer { unpin() }
    guard let (found, index) = ring.pointee.find(at: time, pin: { pin($0) }) else { return nil }
    step(to: found)
    hasLost = false
    let block = ring.pointee.pool.pointee.block(index)
    let payload = ring.pointee.pool.pointee.payload(index)
    let used = block.pointee.used.load(ordering: .acquiring)
    self.time = block.pointee.start
    offset = Int(block.pointee.firstOffset)
    while offset < used {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      if self.time + record.duration > time { break }
      self.time += record.duration
      offset += record.cost
    }
    return self.time
  }

  private func pin(_ sequence: Int) -> UInt32? {
    ring.pointee.cursorPin.store(sequence, ordering: .sequentiallyConsistent)
    let index = ring.pointee.slot(sequence).pointee.load(ordering: .acquiring)
    return ring.pointee.first.load(ordering: .sequentiallyConsistent) <= sequence ? index : nil
  }

  private func unpin() { ring.pointee.cursorPin.store(-1, ordering: .releasing) }

  private mutating func step(to sequence: Int) {
    self.sequence = sequence
    offset = -1
  }

  private mutating func copy(
    _ block: UnsafeMutablePointer<Block>, _ payload: UnsafeMutableRawPointer, to destination: UnsafeMutableRawPointer
  ) -> HeldPacket {
    if offset < 0 {
      time = block.pointee.start
      offset = Int(block.pointee.firstOffset)
    }
    let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
    let info = record.info(blockOffset: block.pointee.byteOffset)
    destination.copyMemory(from: payload + offset + MemoryLayout<PacketRecord>.stride, byteCount: info.byteCount)
    let packet = HeldPacket(info: info, start: time, epoch: block.pointee.epoch, sequence: sequence)
    offset += record.cost
    time += info.duration
    return packet
  }
}
