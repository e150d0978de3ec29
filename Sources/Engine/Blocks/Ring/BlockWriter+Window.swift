import Synchronization
import Units

// A standby ring without a listener is also a window: the newest audio of a connection that is not heard.

extension BlockWriter {
  /// Appends a packet to a window. Drops the oldest blocks beyond `length`, and further ones if the ring or the pool is
  /// full. Returns false if even then no block is free.
  public mutating func slide(
    _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, over length: StreamTime
  ) -> Bool {
    let count = Block.runCount(info.byteCount)
    while held > length || !reclaimer.makeRoom(count), dropOldest() {}
    return append(info, bytes)
  }

  /// Drops the oldest block or run, except the newest. Returns false without such a block.
  private mutating func dropOldest() -> Bool {
    let oldest = ring.pointee.first.load(ordering: .relaxed)
    guard oldest < end else { return false }
    let next = oldest + Int(ring.pointee.block(oldest).pointee.runCount)
    guard next < end else { return false }
    ring.pointee.pin.store(next, ordering: .releasing)
    reclaimer.dropPlayed()
    return true
  }

  /// Calls `body` with each packet of a window, the oldest first. `body` must not change the window.
  public func forEachPacket(_ body: (PacketInfo, UnsafeRawBufferPointer) -> Void) {
    var sequence = ring.pointee.first.load(ordering: .relaxed)
    while sequence < end {
      let index = slot(sequence)
      let block = pool.pointee.block(index)
      if block.pointee.runCount > 1 { passRun(index, to: body) } else { passPackets(index, to: body) }
      sequence += Int(block.pointee.runCount)
    }
  }

  private func passPackets(_ index: UInt32, to body: (PacketInfo, UnsafeRawBufferPointer) -> Void) {
    let (block, payload) = (pool.pointee.block(index), pool.pointee.payload(index))
    let used = block.pointee.used.load(ordering: .relaxed)
    var offset = Int(block.pointee.firstOffset)
    while offset < used {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      let start = payload + offset + MemoryLayout<PacketRecord>.stride
      body(
        record.info(blockOffset: block.pointee.byteOffset),
        UnsafeRawBufferPointer(start: start, count: record.packetByteCount))
      offset += record.cost
    }
  }

  private func passRun(_ index: UInt32, to body: (PacketInfo, UnsafeRawBufferPointer) -> Void) {
    let block = pool.pointee.block(index)
    let record = pool.pointee.payload(index).load(as: PacketRecord.self)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(record.packetByteCount)
    var (index, offset) = (index, MemoryLayout<PacketRecord>.stride)
    while bytes.count < record.packetByteCount {
      let count = min(record.packetByteCount - bytes.count, Block.payloadByteCount - offset)
      bytes += UnsafeRawBufferPointer(start: pool.pointee.payload(index) + offset, count: count)
      (index, offset) = (pool.pointee.block(index).pointee.next, 0)
    }
    bytes.withUnsafeBytes { body(record.info(blockOffset: block.pointee.byteOffset), $0) }
  }
}
