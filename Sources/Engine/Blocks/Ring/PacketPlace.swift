import Units

/// A position in a block of the ring: payload offset and stream time of the next packet.
struct PacketPlace {
  /// The next packet's offset in the payload; nil before the first packet. The block's header then contains the
  /// packet's time.
  private(set) var offset: Int?
  var time = StreamTime.zero

  /// Moves to the first packet of the block that the next call receives.
  mutating func rewind() { offset = nil }

  /// Returns true if the pinned block has a packet at this position.
  func isHeld(_ index: UInt32, in ring: UnsafePointer<BlockRing>) -> Bool {
    let block = ring.pointee.pool.pointee.block(index)
    return offset ?? Int(block.pointee.firstOffset) < block.pointee.used.load(ordering: .acquiring)
  }

  /// Moves to the packet at `time` in the pinned block; to the first packet if `time` is earlier, or after the last
  /// packet if `time` is later.
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

  /// Copies the packet from the pinned block and moves to the next packet. For a run, copies only the first part.
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

  private mutating func begin(_ block: UnsafeMutablePointer<Block>) -> Int {
    time = block.pointee.start
    let first = Int(block.pointee.firstOffset)
    offset = first
    return first
  }

  /// Moves after the packet at `place` and returns the new offset. For a run, the new offset is the payload's end.
  private mutating func pass(_ record: PacketRecord, at place: Int) -> Int {
    time += record.duration
    let next = min(Block.payloadByteCount, place + record.cost)
    offset = next
    return next
  }
}
