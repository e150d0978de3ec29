/// The writing end of an event ring for a writer some of whose events must reach the reader.
///
/// An event that finds no room waits here, and goes into the ring in its order as soon as there is some. One that may
/// be missed waits until there is a newer one of its kind, and is dropped and counted then: what such events tell is
/// known by the newest. One thread at a time.
public struct EventOutbox: ~Copyable {
  private let ring: UnsafePointer<EventRing>
  private var waiting: [(kind: UInt32, payload: [UInt8], mayBeMissed: Bool)] = []

  /// More never wait: a reader that looks at nothing for so long has stopped.
  private static let most = 128

  /// The writing end of `ring`.
  public init(_ ring: UnsafePointer<EventRing>) { self.ring = ring }

  /// Whether nothing waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Writes an event, or keeps it until there is room; where too many wait, one is dropped and counted. That is one
  /// that may be missed, be it this, or the oldest where there is none.
  public mutating func send(kind: UInt32, _ payload: UnsafeRawBufferPointer, mayBeMissed: Bool) {
    flush()
    if waiting.isEmpty, ring.pointee.offer(kind: kind, payload) { return }
    if mayBeMissed, let older = waiting.firstIndex(where: { $0.kind == kind }) {
      waiting.remove(at: older)
      ring.pointee.countMiss()
    } else if waiting.count == Self.most {
      ring.pointee.countMiss()
      let missable = waiting.firstIndex { $0.mayBeMissed }
      if missable == nil, mayBeMissed { return }
      waiting.remove(at: missable ?? 0)
    }
    waiting.append((kind, Array(payload), mayBeMissed))
  }

  /// Writes what waits, as far as there is room.
  public mutating func flush() {
    while let event = waiting.first {
      guard event.payload.withUnsafeBytes({ ring.pointee.offer(kind: event.kind, $0) }) else { return }
      waiting.removeFirst()
    }
  }

  /// The rules that are broken.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    check.require(waiting.count <= Self.most, "\(waiting.count) events wait")
    let missable = waiting.filter(\.mayBeMissed).map(\.kind)
    check.require(Set(missable).count == missable.count, "an event waits that there is a newer one of: \(missable)")
    return check.broken
  }

  /// Drops what waits: nobody wants to know it any more.
  public mutating func forget() { waiting = [] }
}
