import Synchronization
import Units

/// Copies packets out of the ring, for example into a file. The writer never waits for a cursor.
///
/// One thread owns all cursors of a ring, because they share one pin. A block is pinned only during a copy or search.
/// The cursor loses packets that are dropped before their copy, and sets `hasLost`.
public struct BlockCursor: @unchecked Sendable {
  let ring: UnsafePointer<BlockRing>
  private(set) var sequence: Int
  private var place = PacketPlace()
  /// True if the cursor belongs to the reader's thread and uses the reader's probe.
  private let isReaders: Bool
  /// True if packets were dropped before this cursor reached them. Only the owner and `seek` reset the flag.
  public var hasLost = false

  /// Creates a cursor at the oldest packet, or at the next one if the ring is empty.
  public init(_ ring: UnsafePointer<BlockRing>) { self.init(ring, ofReader: false) }

  init(_ ring: UnsafePointer<BlockRing>, ofReader isReaders: Bool) {
    self.ring = ring
    self.isReaders = isReaders
    sequence = ring.pointee.first.load(ordering: .acquiring)
  }

  /// Copies the next packet to `destination`, which has room for a payload. Returns nil at the end of the ring.
  ///
  /// Copies only the first part of a packet longer than a block.
  public mutating func next(into destination: UnsafeMutableRawPointer) -> HeldPacket? {
    defer { unpin() }
    // Swift 6.2.3 with assertions, as in Debian, cannot read through a trivial value's field here.
    let ring = ring
    while true {
      let end = ring.pointee.end.load(ordering: .sequentiallyConsistent)
      if sequence >= end, sequence >= ring.pointee.first.load(ordering: .sequentiallyConsistent) { return nil }
      guard let index = pin(sequence) else {
        hasLost = true
        step(to: ring.pointee.first.load(ordering: .sequentiallyConsistent))
        continue
      }
      if place.isHeld(index, in: ring) { return place.copy(index, sequence, in: ring, to: destination) }
      let next = sequence + Int(ring.pointee.pool.pointee.block(index).pointee.runCount)
      if next >= end { return nil }
      step(to: next)
    }
  }

  /// Moves to the packet at `time`; to the oldest packet if `time` is earlier, or after the newest packet if `time` is
  /// later. Clears `hasLost`.
  ///
  /// - Returns: Stream time of the new position; nil if the ring is empty, and then nothing changes.
  @discardableResult
  public mutating func seek(to time: StreamTime) -> StreamTime? {
    defer { unpin() }
    guard let (found, index) = ring.pointee.find(at: time, pin: { pin($0) }) else { return nil }
    step(to: found)
    hasLost = false
    place.seek(to: time, index, in: ring)
    return place.time
  }

  private func pin(_ sequence: Int) -> UInt32? {
    isReaders
      ? ring.pointee.protect(sequence, by: ring.pointee.probe)
      : ring.pointee.protect(sequence, by: ring.pointee.cursorPin)
  }

  private func unpin() {
    if isReaders {
      ring.pointee.probe.store(BlockRing.noBlock, ordering: .sequentiallyConsistent)
    } else {
      ring.pointee.cursorPin.store(BlockRing.noBlock, ordering: .releasing)
    }
  }

  private mutating func step(to sequence: Int) {
    self.sequence = sequence
    place.rewind()
  }
}
