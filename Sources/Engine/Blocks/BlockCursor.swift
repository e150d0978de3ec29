import Synchronization
import Units

/// A place in the ring from which packets are copied elsewhere, into a file for instance; nothing waits for it.
///
/// All cursors of a ring belong to one thread, whichever that is. A block is pinned only while a packet is copied out
/// of it, so that a slow owner holds nothing up: what was dropped before it came is gone, and it is told.
public struct BlockCursor: @unchecked Sendable {
  private let ring: UnsafePointer<BlockRing>
  private var sequence: Int
  private var place = PacketPlace()
  /// Whether packets were dropped before this cursor came to them; whoever minds it resets it.
  public var hasLost = false

  /// A cursor before the oldest packet held, or before the next one that comes.
  public init(_ ring: UnsafePointer<BlockRing>) {
    self.ring = ring
    sequence = ring.pointee.first.load(ordering: .acquiring)
  }

  /// Copies the next packet to `destination`, which has room for a block's payload; nil when nothing more is held. Of a
  /// packet that is longer than a block only the first piece is copied.
  public mutating func next(into destination: UnsafeMutableRawPointer) -> HeldPacket? {
    defer { unpin() }
    // Swift 6.2.3 with its own assertions on, as Debian builds it, cannot read through a trivial value's field here.
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
    place.seek(to: time, index, in: ring)
    return place.time
  }

  /// The rules that are broken. Only while the writer stands still.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (pin, end) = (ring.pointee.cursorPin.load(ordering: .relaxed), ring.pointee.end.load(ordering: .acquiring))
    check.require(pin == BlockRing.noBlock, "block \(pin) is copied from by nobody")
    check.require(sequence <= end, "block \(sequence) is next, and \(end) is not written yet")
    return check.broken
  }

  private func pin(_ sequence: Int) -> UInt32? {
    ring.pointee.cursorPin.store(sequence, ordering: .sequentiallyConsistent)
    let index = ring.pointee.slot(sequence).pointee.load(ordering: .acquiring)
    return ring.pointee.first.load(ordering: .sequentiallyConsistent) <= sequence ? index : nil
  }

  private func unpin() { ring.pointee.cursorPin.store(BlockRing.noBlock, ordering: .releasing) }

  private mutating func step(to sequence: Int) {
    self.sequence = sequence
    place.rewind()
  }
}
