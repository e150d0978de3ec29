/// The writing end of an event ring. Events wait in order if the ring is full. One thread at a time.
///
/// Of each kind that may be missed, only the newest event waits, because it has the current state. The older event is
/// dropped and counted.
public struct EventOutbox: ~Copyable {
  private let ring: UnsafePointer<EventRing>
  private var waiting: [(kind: UInt32, payload: [UInt8], mayBeMissed: Bool)] = []

  /// Maximum number of waiting events, reached only if the reader has stopped.
  private static let maxWaiting = 128

  /// Creates the writing end of `ring`.
  public init(_ ring: UnsafePointer<EventRing>) { self.ring = ring }

  /// True if no event waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Writes an event, or stores it until there is room.
  ///
  /// At the maximum, drops and counts the oldest waiting event that may be missed. If no such event waits, drops this
  /// event if it may be missed, otherwise the oldest event.
  public mutating func send(kind: UInt32, _ payload: UnsafeRawBufferPointer, mayBeMissed: Bool) {
    flush()
    if waiting.isEmpty, ring.pointee.offer(kind: kind, payload) { return }
    if mayBeMissed, let older = waiting.firstIndex(where: { $0.kind == kind }) {
      waiting.remove(at: older)
      ring.pointee.countMiss()
    } else if waiting.count == Self.maxWaiting {
      ring.pointee.countMiss()
      let missable = waiting.firstIndex { $0.mayBeMissed }
      if missable == nil, mayBeMissed { return }
      waiting.remove(at: missable ?? 0)
    }
    waiting.append((kind, Array(payload), mayBeMissed))
  }

  /// Writes waiting events as far as there is room.
  public mutating func flush() {
    while let event = waiting.first {
      guard event.payload.withUnsafeBytes({ ring.pointee.offer(kind: event.kind, $0) }) else { return }
      waiting.removeFirst()
    }
  }

  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    check.require(waiting.count <= Self.maxWaiting, "\(waiting.count) events wait")
    let missable = waiting.filter(\.mayBeMissed).map(\.kind)
    check.require(Set(missable).count == missable.count, "an event waits that there is a newer one of: \(missable)")
    return check.broken
  }

  /// Drops waiting events without counting them.
  public mutating func forget() { waiting = [] }
}
