import Testing
import Units

@testable import Blocks

/// What must reach the reader of a full event ring waits for room, in its order.
struct EventOutboxTests {
  private final class Bench {
    private let arena: Arena
    let ring: UnsafePointer<EventRing>
    var outbox: EventOutbox

    init(_ byteCount: Int) throws {
      arena = try Arena(EventRing.cost(byteCount))
      ring = EventRing.make(byteCount, in: arena)
      outbox = EventOutbox(ring)
    }

    func send(_ kind: UInt32, mayBeMissed: Bool = false) {
      [UInt8](repeating: UInt8(truncatingIfNeeded: kind), count: 8).withUnsafeBytes {
        outbox.send(kind: kind, $0, mayBeMissed: mayBeMissed)
      }
    }

    func readAll() -> [UInt32] {
      var kinds: [UInt32] = []
      while ring.pointee.next({ kind, _ in kinds.append(kind) }) {}
      return kinds
    }

    /// What is in the ring, and what waits.
    func drain() -> [UInt32] {
      var kinds = readAll()
      while !outbox.isEmpty {
        outbox.flush()
        kinds += readAll()
      }
      return kinds
    }
  }

  @Test("of what may be missed the newest of its kind comes, the rest comes later, in its order")
  func waits() throws {
    let bench = try Bench(128)
    for kind in 0..<4 { bench.send(UInt32(kind)) }
    // Four fit. Of the others 5 and 7 may be missed.
    for kind in [4, 5, 6, 5, 7, 8, 5] { bench.send(UInt32(kind), mayBeMissed: kind % 2 == 1) }
    #expect(bench.readAll() == [0, 1, 2, 3] && !bench.outbox.isEmpty)
    bench.send(10)
    #expect(bench.readAll() == [4, 6, 7, 8])
    bench.outbox.flush()
    #expect(bench.readAll() == [5, 10] && bench.outbox.isEmpty)
    #expect(bench.ring.pointee.missedCount == 2)
  }

  @Test("a reader that never looks costs a bounded amount of memory, and misses the oldest")
  func isBounded() throws {
    let bench = try Bench(128)
    for kind in 0..<1_000 { bench.send(UInt32(kind)) }
    #expect(bench.ring.pointee.missedCount == 1_000 - 4 - 128)
    #expect(bench.drain() == [0, 1, 2, 3] + (872..<1_000).map { UInt32($0) })
  }

  @Test("where too many wait, what may be missed is dropped, and nothing that must come")
  func dropsWhatMayBeMissed() throws {
    let bench = try Bench(128)
    // Four go into the ring, 128 wait.
    for kind in 0..<132 { bench.send(UInt32(kind), mayBeMissed: kind == 70) }
    bench.send(200)
    bench.send(201, mayBeMissed: true)
    #expect(bench.ring.pointee.missedCount == 2)
    #expect(bench.drain() == (0..<132).filter { $0 != 70 }.map { UInt32($0) } + [200])
  }

  @Test("what is forgotten never comes")
  func forgets() throws {
    let bench = try Bench(64)
    for kind in 0..<5 { bench.send(UInt32(kind)) }
    bench.outbox.forget()
    #expect(bench.readAll().count == 2)
    bench.outbox.flush()
    #expect(bench.readAll() == [])
  }
}
