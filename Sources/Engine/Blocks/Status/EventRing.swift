import Synchronization
import Units

/// Passes events with inline payloads from one thread to the control thread.
///
/// One writer, one reader. A full ring refuses events, so that the writer never waits.
public struct EventRing: ~Copyable, @unchecked Sendable {
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  private let written = Atomic<Int>(0)
  private let separate = InlineArray<15, Int>(repeating: 0)
  private let read = Atomic<Int>(0)
  private let missed = Atomic<Int>(0)

  /// The size for the net thread's titles and headers: 32 KiB.
  public static let netByteCount = 32_768
  /// The size for the decode thread's formats and faults: 4 KiB.
  public static let decodeByteCount = 4_096
  /// The maximum payload of an event, in bytes.
  public static let maxPayload = 8_192

  private static let header = 16
  /// The alignment of events, in bytes.
  private static let step = 16
  /// The kind of a filler between the last event and the ring's end.
  private static let filler = UInt32.max

  static func cost(_ byteCount: Int) -> ByteCount {
    Arena.cost(of: EventRing.self) + Arena.cost(of: UInt8.self, count: byteCount)
  }

  private static func cost(ofEvent count: Int) -> Int { header + (count + step - 1) & ~(step - 1) }

  private init(bytes: UnsafeMutableRawPointer, byteCount: Int) {
    self.bytes = bytes
    self.byteCount = byteCount
  }

  /// Creates a ring of `byteCount` bytes in an arena.
  public static func make(_ byteCount: Int, in arena: Arena) -> UnsafePointer<EventRing> {
    precondition(byteCount % step == 0, "events are kept in steps of 16 bytes")
    let bytes = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: byteCount))
    let ring = arena.reserve(EventRing.self)
    ring.initialize(to: EventRing(bytes: bytes, byteCount: byteCount))
    return UnsafePointer(ring)
  }

  /// Number of dropped events. Any thread.
  public var missedCount: Int { missed.load(ordering: .relaxed) }

  /// Writes an event; returns false and counts a miss if the ring has no room. Writer only.
  @discardableResult
  public borrowing func append(kind: UInt32, _ payload: UnsafeRawBufferPointer) -> Bool {
    if offer(kind: kind, payload) { return true }
    countMiss()
    return false
  }

  borrowing func countMiss() { missed.add(1, ordering: .relaxed) }

  /// Writes an event; returns false without counting if the ring has no room. Writer only.
  borrowing func offer(kind: UInt32, _ payload: UnsafeRawBufferPointer) -> Bool {
    precondition(payload.count <= Self.maxPayload, "an event's payload has 8 KiB at most")
    let cost = Self.cost(ofEvent: payload.count)
    var at = written.load(ordering: .relaxed)
    assert(at % Self.step == 0, "events begin at a step")
    let room = byteCount - (at - read.load(ordering: .acquiring))
    let toEnd = byteCount - at % byteCount
    // Each event is contiguous. If the event does not fit before the ring's end, a filler occupies that space.
    let needed = toEnd < cost ? toEnd + cost : cost
    guard needed <= room else { return false }
    if toEnd < cost {
      store(kind: Self.filler, count: toEnd - Self.header, at: at)
      at += toEnd
    }
    store(kind: kind, count: payload.count, at: at)
    if let start = payload.baseAddress {
      (bytes + at % byteCount + Self.header).copyMemory(from: start, byteCount: payload.count)
    }
    written.store(at + cost, ordering: .releasing)
    return true
  }

  private borrowing func store(kind: UInt32, count: Int, at position: Int) {
    let place = bytes + position % byteCount
    place.storeBytes(of: kind, as: UInt32.self)
    place.storeBytes(of: Int64(count), toByteOffset: 8, as: Int64.self)
  }

  /// Returns violated invariants. Valid only while both ends are idle.
  borrowing func checkInvariants() -> [String] {
    var check = InvariantCheck()
    var at = read.load(ordering: .acquiring)
    let end = written.load(ordering: .acquiring)
    check.require(at >= 0 && at <= end && end - at <= byteCount, "events lie at \(at) ..< \(end) of \(byteCount)")
    while check.isWhole, at < end {
      let place = bytes + at % byteCount
      let count = Int(place.load(fromByteOffset: 8, as: Int64.self))
      let isFiller = place.load(as: UInt32.self) == Self.filler
      check.require(count >= 0 && (isFiller || count <= Self.maxPayload), "an event at \(at) has \(count) bytes")
      let next = at + Self.cost(ofEvent: count)
      check.require(next % byteCount == 0 || next / byteCount == at / byteCount, "the event at \(at) is cut in two")
      check.require(!isFiller || next % byteCount == 0, "what fills up from \(at) on ends at \(next)")
      at = next
    }
    check.require(!check.isWhole || at == end, "the last event ends at \(at), not \(end)")
    return check.broken
  }

  /// Passes the oldest event to `body` and removes it; returns false if the ring is empty. Reader only.
  public borrowing func next(_ body: (_ kind: UInt32, _ payload: UnsafeRawBufferPointer) -> Void) -> Bool {
    while true {
      let at = read.load(ordering: .relaxed)
      if at == written.load(ordering: .acquiring) { return false }
      let place = bytes + at % byteCount
      let kind = place.load(as: UInt32.self)
      let count = Int(place.load(fromByteOffset: 8, as: Int64.self))
      assert(at % byteCount + Self.cost(ofEvent: count) <= byteCount, "an event lies in one piece")
      if kind != Self.filler { body(kind, UnsafeRawBufferPointer(start: place + Self.header, count: count)) }
      read.store(at + Self.cost(ofEvent: count), ordering: .releasing)
      if kind != Self.filler { return true }
    }
  }
}
