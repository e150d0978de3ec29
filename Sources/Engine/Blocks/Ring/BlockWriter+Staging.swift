import Units

// Packets of a new connection wait in unpublished blocks until their overlap with the ring is known.

extension BlockWriter {
  /// Appends a packet to the staged blocks; returns false if too many other blocks are unplayed.
  public mutating func stage(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    precondition(bytes.count == info.byteCount, "a packet is as long as its bytes")
    let newest = end + stagedBlocks - 1
    if stagedBlocks == 0 || !hasRoom(newest, PacketRecord.cost(info.byteCount)) {
      guard let count = lease(newest + 1, for: info, startingAt: .zero) else { return false }
      stagedBlocks += count
      put(info, bytes, into: newest + 1)
    } else {
      put(info, bytes, into: newest)
    }
    return true
  }

  /// Publishes the staged packets except the first `dropped` ones. Sets `followsGap` in the first published packet.
  ///
  /// - Returns: Duration of the dropped packets.
  @discardableResult
  public mutating func publishStaged(dropping dropped: Int, followsGap: Bool) -> StreamTime {
    var left = dropped
    var overlap = StreamTime.zero
    var isFirst = true
    var sequence = end
    let after = end + stagedBlocks
    stagedBlocks = 0
    while sequence < after {
      let index = slot(sequence)
      sequence += Int(pool.pointee.block(index).pointee.runCount)
      let (skipped, rest) = scan(index, skipping: &left)
      overlap += skipped.duration
      guard rest.packetCount > 0 else {
        reclaimer.release(index)
        continue
      }
      if isFirst { mark(index, at: skipped.byteOffset, followsGap) }
      isFirst = false
      publish(index, firstOffset: skipped.byteOffset, rest)
    }
    return overlap
  }

  /// Drops the staged packets.
  public mutating func unstage() {
    let from = end
    for sequence in from..<(from + stagedBlocks) { reclaimer.free(slot(sequence)) }
    stagedBlocks = 0
  }

  /// Maximum number of blocks that can be free: all except the staged blocks and the newest block or run.
  public var maxFree: Int {
    let isEmpty = end == ring.pointee.first.load(ordering: .relaxed)
    let newest = isEmpty ? 0 : Int(ring.pointee.block(end - 1).pointee.runCount)
    return ring.pointee.slotCount - stagedBlocks - newest
  }

  /// Publishes the staged packets of another encoder, which the decode thread joins by their audio.
  public mutating func publishJoin() {
    guard stagedBlocks > 0 else { return }
    let place = pool.pointee.payload(slot(end))
    var record = place.load(as: PacketRecord.self)
    record.setJoins()
    place.storeBytes(of: record, as: PacketRecord.self)
    ring.pointee.join.begin(at: time)
    publishStaged(dropping: 0, followsGap: false)
  }

  /// Reports the clock's estimate for the last join: audio that was buffered before, or audio that is missing.
  public func estimateJoin(overlap: StreamTime, lost: StreamTime) {
    ring.pointee.join.estimate(overlap: overlap, lost: lost)
  }

  private struct Extent {
    /// Payload offset after the skipped packets.
    var byteOffset = 0
    var packetCount = 0
    var byteCount = 0
    var duration = StreamTime.zero
  }

  /// Splits a block's packets into those to skip and the rest, and subtracts the skipped ones from `left`.
  private func scan(_ index: UInt32, skipping left: inout Int) -> (skipped: Extent, rest: Extent) {
    let payload = pool.pointee.payload(index)
    let used = pool.pointee.block(index).pointee.used.load(ordering: .relaxed)
    var skipped = Extent()
    var rest = Extent()
    var offset = 0
    while offset < used {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      offset += record.cost
      if left > 0 {
        left -= 1
        skipped.byteOffset = offset
        skipped.duration += record.duration
      } else {
        rest.packetCount += 1
        rest.byteCount += record.packetByteCount
        rest.duration += record.duration
      }
    }
    return (skipped, rest)
  }

  private func mark(_ index: UInt32, at offset: Int, _ followsGap: Bool) {
    let place = pool.pointee.payload(index) + offset
    var record = place.load(as: PacketRecord.self)
    record.setFollowsGap(followsGap)
    place.storeBytes(of: record, as: PacketRecord.self)
  }

  private mutating func publish(_ index: UInt32, firstOffset: Int, _ extent: Extent) {
    let block = pool.pointee.block(index)
    assert(firstOffset < block.pointee.used.load(ordering: .relaxed), "a block that is published holds a packet")
    block.pointee.firstOffset = UInt32(firstOffset)
    append(index, startingAt: time, extent.duration)
    count(extent.byteCount, extent.duration)
  }
}
