import Synchronization
import Units

/// A packet as it lies in the ring.
public struct HeldPacket: Sendable {
  /// Its header's facts.
  public let info: PacketInfo
  /// Its stream time.
  public let start: StreamTime
  /// The programme it belongs to.
  public let epoch: UInt32
  /// The number of its block.
  public let sequence: Int

  /// Bytes of its first piece: all of them, unless it is longer than a block.
  public var firstByteCount: Int { min(info.byteCount, Block.firstPieceByteCount) }
}

/// The end of the ring that reads; one thread owns it.
public struct BlockReader: ~Copyable {
  private let ring: UnsafePointer<BlockRing>
  private var sequence = 0
  private var place = PacketPlace()
  private var epoch: UInt32 = 0
  /// What of the packet that was read last is to be read on: the block where it lies, and how many bytes there are.
  private var rest = (index: UInt32(0), byteCount: 0)

  /// The one reader of a ring.
  public init(_ ring: UnsafePointer<BlockRing>) { self.ring = ring }

  /// What is held of the programme from the next packet on.
  public mutating func ahead() -> StreamTime {
    let written = ring.pointee.epoch.load(ordering: .acquiring)
    if epoch != written { begin(written) }
    let end = ring.pointee.endTicks.load(ordering: .acquiring)
    // The first packet of a file may sound at any time.
    return StreamTime(ticks: max(0, end - max(place.time.ticks, ring.pointee.oldestTicks.load(ordering: .relaxed))))
  }

  /// Tells the writer whether to call when packets come; one that was appended before is seen after this, or is called
  /// for.
  ///
  /// Either side stores, then has a fence, then looks at what the other one stored: the reader at the packets, the
  /// writer at the flag (`BlockWriter.isAwaited`). Without both fences each look may be done before the store is
  /// visible, and the reader sleeps beside a packet.
  public func await(_ isAwaited: Bool) {
    ring.pointee.isAwaited.store(isAwaited, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Whether the whole of the programme has been written.
  public func hasEnded(_ epoch: UInt32) -> Bool { ring.pointee.hasEnded(epoch) }

  /// The programme that is being written.
  public var writtenEpoch: UInt32 { ring.pointee.epoch.load(ordering: .acquiring) }

  /// A programme begins at stream time zero.
  private mutating func begin(_ written: UInt32) {
    epoch = written
    place.time = .zero
    ring.pointee.readTicks.store(0, ordering: .releasing)
  }

  /// Copies the next packet to `destination`, which has room for a block's payload; nil when nothing more is held. Of a
  /// packet that is longer than a block the first piece is copied, and `more` copies the others.
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

  /// Copies the next piece of the packet that was read last, and says how many bytes that is; 0 behind its last one.
  ///
  /// The packet's blocks stay pinned until the next packet is read.
  public mutating func more(into destination: UnsafeMutableRawPointer) -> Int {
    let count = min(rest.byteCount, Block.payloadByteCount)
    guard count > 0 else { return 0 }
    destination.copyMemory(from: ring.pointee.pool.pointee.payload(rest.index), byteCount: count)
    rest = (ring.pointee.pool.pointee.block(rest.index).pointee.next, rest.byteCount - count)
    return count
  }

  /// Moves to the packet that sounds at `time`, or to the nearest that is held: the oldest one, or behind the newest.
  ///
  /// Costs a search by halves through the blocks, then a walk through one.
  ///
  /// - Returns: The stream time of the packet; nil where nothing is held.
  public mutating func seek(to time: StreamTime) -> StreamTime? {
    rest.byteCount = 0
    defer { endProbe() }
    guard let (found, index) = ring.pointee.find(at: time, pin: { probe($0) }) else { return nil }
    // The probe protects the block until the reader stands in it.
    ring.pointee.pin.store(found, ordering: .sequentiallyConsistent)
    step(to: found)
    enter(index)
    place.seek(to: time, index, in: ring)
    ring.pointee.readTicks.store(place.time.ticks, ordering: .releasing)
    return place.time
  }

  /// When the packet begins that sounds at `time`, or the nearest that is held; nil where nothing is held. The reader
  /// stays where it is.
  public func start(at time: StreamTime) -> StreamTime? {
    defer { endProbe() }
    guard let (_, index) = ring.pointee.find(at: time, pin: { probe($0) }) else { return nil }
    var place = PacketPlace()
    place.seek(to: time, index, in: ring)
    return place.time
  }

  /// The rules that are broken. Only while the other end stands still.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (pin, probe) = (ring.pointee.pin.load(ordering: .relaxed), ring.pointee.probe.load(ordering: .relaxed))
    check.require(pin == sequence, "block \(pin) is pinned, and \(sequence) is read")
    check.require(rest.byteCount >= 0, "\(rest.byteCount) bytes are to be read on")
    check.require(probe == BlockRing.noBlock, "block \(probe) is looked at by nobody")
    let (first, end) = (ring.pointee.first.load(ordering: .acquiring), ring.pointee.end.load(ordering: .acquiring))
    check.require(sequence <= end, "block \(sequence) is read, and \(end) is the next")
    if (first..<end).contains(sequence) {
      let index = ring.pointee.slot(sequence).pointee.load(ordering: .relaxed)
      check.require(place.isWithin(index, in: ring), "the place lies beyond the packets of block \(sequence)")
    }
    return check.broken
  }

  /// Protects one block while it is looked at; nil where it was dropped.
  private func probe(_ sequence: Int) -> UInt32? {
    ring.pointee.probe.store(sequence, ordering: .sequentiallyConsistent)
    let index = ring.pointee.slot(sequence).pointee.load(ordering: .acquiring)
    return ring.pointee.first.load(ordering: .sequentiallyConsistent) <= sequence ? index : nil
  }

  private func endProbe() { ring.pointee.probe.store(BlockRing.noBlock, ordering: .sequentiallyConsistent) }

  /// Pins the block of the reader's place, or of the oldest place that is still held, and finds it; nil when none is.
  ///
  /// The slot is read between `end`, before which it is not written, and `first`, after which it may be written anew.
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

  /// A block may be the first of another programme.
  private mutating func enter(_ index: UInt32) {
    let block = ring.pointee.pool.pointee.block(index)
    if epoch != block.pointee.epoch { begin(block.pointee.epoch) }
  }
}
