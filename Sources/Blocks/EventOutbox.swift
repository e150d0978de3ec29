/// The writing end of an event ring for a writer some of whose events must reach the reader.
///
/// An event that finds no room waits here, and goes into the ring in its order as soon as there is some. One that may
/// be missed waits until there is a newer one of its kind, and is dropped and counted then: what such events tell is
/// known by the newest. One thread at a time.
public struct EventOutbox: ~Copyable {
  private let ring: UnsafePointer<EventRing>
  private var waiting: [(kind: UInt32, payload: [UInt8])] = []

  /// More never wait: a reader that looks at nothing for so long has stopped.
  private static let most = 128

  /// The writing end of `ring`.
  public init(_ ring: UnsafePointer<EventRing>) { self.ring = ring }

  /// Whether nothing waits.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Writes an event, or keeps it until there is room; where too many wait, the oldest is dropped and counted.
  public mutating func send(kind: UInt32, _ payload: UnsafeRawBufferPointer, mayBeMissed: Bool) {
    flush()
    if waiting.isEmpty, ring.pointee.offer(kind: kind, payload) { return }
    if mayBeMissed, let older = waiting.firstIndex(where: { $0.kind == kind }) {
      waiting.remove(at: older)
      ring.pointee.countMiss()
    } else if waiting.count == Self.most {
      waiting.removeFirst()
      ring.pointee.countMiss()
    }
    waiting.append((kind, Array(payload)))
  }

  /// Writes what waits, as far as there is room.
  public mutating func flush() {
    while let event = waiting.first {
      guard event.payload.withUnsafeBytes({ ring.pointee.offer(kind: event.kind, $0) }) else { return }
      waiting.removeFirst()
    }
  }

  /// Drops what waits: nobody wants to know it any more.
  public mutating func forget() { waiting = [] }
}
