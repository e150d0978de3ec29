@testable import Blocks
import Units

/// Sends events through a ring and compares with a list.
final class Events: FuzzTarget {
  static let name = "events"
  static let longest = 500
  static let seeds: [[UInt8]] = [[0, 0, 100, 0, 1, 0, 1, 1, 1], [0, 15, 0xFF, 0, 15, 0xFF, 1, 0, 15, 0xFF, 1, 1]]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    guard let arena = try? Arena(ByteCount(8_192)) else { fatalError("The fuzzer needs memory.") }
    let ring = EventRing.make(EventRing.decodeByteCount, in: arena)
    var waiting: [(kind: UInt32, payload: [UInt8])] = []
    var missed = 0
    while !recipe.isOver {
      expect(ring.pointee.checkInvariants() == [], "the ring's own rules hold")
      if recipe.flag() {
        Self.read(ring, &waiting)
      } else {
        let count = recipe.number(0...4_200)
        let kind = UInt32(recipe.byte())
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(kind)) }
        let used = waiting.reduce(0) { $0 + 16 + ($1.payload.count + 15) & ~15 }
        if payload.withUnsafeBytes({ ring.pointee.append(kind: kind, $0) }) {
          waiting.append((kind, payload))
          expect(used + 16 + count <= EventRing.decodeByteCount, "no event writes over another")
        } else {
          missed += 1
          expect(
            used > 0 || count > EventRing.decodeByteCount / 2 - 16, "an empty ring takes an event of half its size")
        }
        expect(ring.pointee.missedCount == missed, "what found no room is counted")
      }
    }
    while !waiting.isEmpty { Self.read(ring, &waiting) }
    Self.read(ring, &waiting)
  }

  private static func read(
    _ ring: UnsafePointer<EventRing>, _ waiting: inout [(kind: UInt32, payload: [UInt8])]
  ) {
    var found: (kind: UInt32, payload: [UInt8])?
    let isThere = ring.pointee.next { found = ($0, Array($1)) }
    expect(isThere == !waiting.isEmpty, "an event comes where one waits")
    guard isThere, let found else { return }
    let oldest = waiting.removeFirst()
    expect(found.kind == oldest.kind && found.payload == oldest.payload, "events come in order and whole")
  }
}
