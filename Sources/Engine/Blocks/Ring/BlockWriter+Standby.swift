import Synchronization
import Units

// A standby ring receives a station that is not heard. Standby rings borrow blocks of the heard ring's pool. A station
// change exchanges the rings of two writers, and their blocks follow without a copy.

extension BlockRing {
  /// Maximum number of blocks that a standby ring borrows; nil if the pool is too small for standby rings.
  static func standbyBlockCount(of blockCount: Int) -> Int? {
    let count = min(maxStandbyCount, blockCount / 8)
    return count >= 2 * BlockWriter.readRoom ? count : nil
  }

  private static let maxStandbyCount = 96

  var isStandby: Bool { slotCount < pool.pointee.count }

  /// Returns the arena bytes of one standby ring.
  static func standbyCost(_ blockCount: Int) -> ByteCount {
    Arena.cost(of: BlockRing.self)
      + Arena.cost(of: Atomic<UInt32>.self, count: standbyBlockCount(of: blockCount) ?? 0)
  }

  /// Creates a standby ring that borrows blocks of this ring's pool; nil if the pool is too small.
  public func makeStandby(in arena: Arena) -> UnsafePointer<BlockRing>? {
    Self.standbyBlockCount(of: pool.pointee.count).map { Self.make(slotCount: $0, of: pool, in: arena) }
  }
}

extension BlockWriter {
  /// Blocks of a ring on their way to another ring of the pool.
  private struct Detached {
    /// Pool index of each block or run, the oldest first.
    var indices: [UInt32]
    var end: StreamTime
    var isOpen: Bool
  }

  /// Exchanges the rings of two writers. The audio of the standby writer becomes the programme `epoch` of the heard
  /// ring. The newest audio of the heard ring, as much as a standby ring allows, remains in the standby ring.
  ///
  /// Drops staged packets. `heard`: the writer of the ring with the reader; afterwards the writer of the standby ring.
  public static func exchange(_ heard: inout BlockWriter, _ standby: inout BlockWriter, epoch: UInt32) {
    assert(heard.pool == standby.pool, "rings exchange blocks of one pool")
    heard.unstage()
    standby.unstage()
    standby.releasePosition()
    let room = standby.ring.pointee.slotCount - readRoom
    let left = heard.detach(newest: room)
    let chosen = standby.detach(newest: .max)
    swap(&heard, &standby)
    heard.attach(left, epoch: 0)
    standby.attach(chosen, epoch: epoch)
  }

  /// Removes the pin of a standby ring. Without a reader, the pin only marks the position.
  func releasePosition() { if ring.pointee.isStandby { ring.pointee.pin.store(end, ordering: .relaxed) } }

  /// True if the pool, and not the limit of the ring, prevents that `count` blocks are free.
  public func lacksPool(_ count: Int) -> Bool { reclaimer.lacksPool(count) }

  /// True if the limit of the ring leaves no room for a read.
  public var isRingFull: Bool { ring.pointee.slotCount - reclaimer.leasedCount < Self.readRoom }

  private mutating func detach(newest count: Int) -> Detached {
    Detached(indices: reclaimer.detach(newest: count), end: time, isOpen: isOpen)
  }

  /// Publishes detached blocks in an empty ring, as the programme `epoch`.
  private mutating func attach(_ detached: Detached, epoch: UInt32) {
    reclaimer.adopt(detached.indices)
    ring.pointee.join.reset()
    let start = detached.indices.first.map { pool.pointee.block($0).pointee.start } ?? detached.end
    self.start(at: start)
    ring.pointee.readTicks.store(0, ordering: .relaxed)
    ring.pointee.writtenBytes.store(detached.indices.reduce(0) { $0 + byteCount($1) }, ordering: .relaxed)
    ring.pointee.epoch.store(epoch, ordering: .releasing)
    for index in detached.indices { publish(index, epoch) }
    ring.pointee.endTicks.store(detached.end.ticks, ordering: .releasing)
    isOpen = detached.isOpen && !detached.indices.isEmpty
  }

  /// Returns the bytes of the packets in a block, or in the run that it starts.
  private func byteCount(_ index: UInt32) -> Int {
    let (block, payload) = (pool.pointee.block(index), pool.pointee.payload(index))
    let used = block.pointee.used.load(ordering: .relaxed)
    var (offset, count) = (Int(block.pointee.firstOffset), 0)
    while offset < used {
      let record = payload.load(fromByteOffset: offset, as: PacketRecord.self)
      offset += record.cost
      count += record.packetByteCount
    }
    return count
  }

  /// Publishes a filled block, or the run that it starts, at its own start time.
  private mutating func publish(_ index: UInt32, _ epoch: UInt32) {
    let (sequence, count) = (end, Int(pool.pointee.block(index).pointee.runCount))
    var index = index
    for place in sequence..<sequence + count {
      let block = pool.pointee.block(index)
      block.pointee.sequence = place
      block.pointee.epoch = epoch
      setSlot(place, index)
      index = block.pointee.next
    }
    open(sequence, count)
  }

  /// Counts the audio before `time` as played, in place of a reader, and frees its blocks. Standby rings only.
  public mutating func skip(to time: StreamTime) {
    var sequence = max(
      ring.pointee.pin.load(ordering: .relaxed), ring.pointee.first.load(ordering: .relaxed))
    while sequence < end {
      let next = sequence + Int(ring.pointee.block(sequence).pointee.runCount)
      guard next < end, ring.pointee.block(next).pointee.start <= time else { break }
      sequence = next
    }
    ring.pointee.pin.store(sequence, ordering: .releasing)
    ring.pointee.readTicks.store(min(time, self.time).ticks, ordering: .releasing)
    reclaimer.dropPlayed()
  }
}
