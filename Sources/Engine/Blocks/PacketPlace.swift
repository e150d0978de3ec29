import Units

/// A place within one block of the ring: the packet that is next, and when it sounds.
struct PacketPlace {
  /// Where the packet lies in the block's payload; nil before the block's first.
  private var offset: Int?
  /// The packet's stream time.
  var time = StreamTime.zero

  /// Before the first packet of a block, whichever that is.
  mutating func rewind() { offset = nil }

  /// Whether the pinned block at `index` has a packet here.
  func isHeld(_ index: UInt32, in ring: UnsafePointer<BlockRing>) -> Bool {
    let block = ring.pointee.pool.pointee.block(index)
    return offset ?? Int(block.pointee.firstOffset) < block.pointee.used.load(ordering: .acquiring)
  }

  /// Whether a packet of the block at `index` is here, or their end.
  func isWithin(_ index: UInt32, in ring: UnsafePointer<BlockRing>) -> Bool {
    let block = ring.pointee.pool.pointee.block(index)
    return offset ?? Int(block.pointee.firstOffset) <= block.pointee.used.load(ordering: .acquiring)
  }

  /// Goes to the packet of the pinned block at `index` that sounds at `time`, or behind its last.
  mutating func seek(to time: StreamTime, _ index: UInt32, in ring: UnsafePointer<BlockRing>) {
    let block = ring.pointee.pool.pointee.block(index)
    let payload = ring.pointee.pool.pointee.payload(index)
    let used = block.pointee.used.load(ordering: .acquiring)
    var offset = begin(block)
    while offset < used {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      if self.time + record.duration > time { break }
      offset = pass(record, at: offset)
    }
  }

  /// Copies the packet, or its first piece, out of the pinned block at `index`, and goes to the next.
  mutating func copy(
    _ index: UInt32, _ sequence: Int, in ring: UnsafePointer<BlockRing>, to destination: UnsafeMutableRawPointer
  ) -> HeldPacket {
    let block = ring.pointee.pool.pointee.block(index)
    let payload = ring.pointee.pool.pointee.payload(index)
    let offset = offset ?? begin(block)
    assert(offset < block.pointee.used.load(ordering: .relaxed), "a packet is copied where one is held")
    let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
    let info = record.info(blockOffset: block.pointee.byteOffset)
    destination.copyMemory(
      from: payload + offset + MemoryLayout<PacketRecord>.stride,
      byteCount: min(info.byteCount, Block.firstPieceByteCount))
    let packet = HeldPacket(info: info, start: time, epoch: block.pointee.epoch, sequence: sequence)
    _ = pass(record, at: offset)
    return packet
  }

  /// Goes to a block's first packet; where that lies.
  private mutating func begin(_ block: UnsafeMutablePointer<Block>) -> Int {
    time = block.pointee.start
    let first = Int(block.pointee.firstOffset)
    offset = first
    return first
  }

  /// Goes behind the packet at `place`, a run being behind its block's last; where that is.
  private mutating func pass(_ record: PacketRecord, at place: Int) -> Int {
    time += record.duration
    let next = min(Block.payloadByteCount, place + record.cost)
    offset = next
    return next
  }
}
