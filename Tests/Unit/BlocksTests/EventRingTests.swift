@testable import Blocks
import SeededRandom
import Testing
import Units

struct EventRingTests {
  /// Compares random writes and reads with an array.
  @Test("Fitting events come out unchanged", arguments: [64, 80, 256, 1_024], [UInt64(1), 2, 3])
  func agreesWithAnArray(_ byteCount: Int, _ seed: UInt64) throws {
    let bench = try EventBench(byteCount)
    var random = SeededGenerator(seed)
    var held: [EventBench.Event] = []
    var missed = 0
    for number in 0..<5_000 {
      if random.next() % 2 == 0 {
        let payload = (0..<Int(random.next() % 70)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let event = EventBench.Event(kind: UInt32(number), payload: payload)
        if bench.append(event) { held.append(event) } else { missed += 1 }
      } else {
        let wanted = held.isEmpty ? nil : held.removeFirst()
        #expect(bench.next() == wanted)
      }
      try #require(bench.checkInvariants() == [], "after step \(number)")
    }
    #expect(bench.missedCount == missed)
  }

  @Test func aFullRingSkipsAndCounts() throws {
    let bench = try EventBench(64)
    let events = (0..<6).map { EventBench.Event(kind: $0, payload: []) }
    for event in events[..<4] { #expect(bench.append(event)) }
    #expect(!bench.append(events[4]))
    #expect(bench.missedCount == 1)
    for event in events[..<4] { #expect(bench.next() == event) }
    #expect(bench.next() == nil)
    #expect(bench.append(events[5]))
  }

  @Test func theLongestPayloadPasses() throws {
    let bench = try EventBench(EventRing.netByteCount)
    let payload = (0..<EventRing.maxPayload).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for round in 0..<50 {
      let event = EventBench.Event(kind: UInt32(round), payload: payload)
      #expect(bench.append(event))
      #expect(bench.next() == event)
    }
  }
}

private final class EventBench {
  struct Event: Equatable {
    let kind: UInt32
    let payload: [UInt8]
  }

  private let arena: Arena
  private let ring: UnsafePointer<EventRing>

  init(_ byteCount: Int) throws {
    arena = try Arena(EventRing.cost(byteCount))
    ring = EventRing.make(byteCount, in: arena)
  }

  var missedCount: Int { ring.pointee.missedCount }

  func checkInvariants() -> [String] { ring.pointee.checkInvariants() }

  func append(_ event: Event) -> Bool {
    event.payload.withUnsafeBytes { ring.pointee.append(kind: event.kind, $0) }
  }

  func next() -> Event? {
    var event: Event?
    let found = ring.pointee.next { event = Event(kind: $0, payload: Array($1)) }
    return found ? event : nil
  }
}

/// Events that must not be lost wait for room, in order.
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

    /// Kinds of the events in the ring, then of the waiting ones.
    func drain() -> [UInt32] {
      var kinds = readAll()
      while !outbox.isEmpty {
        outbox.flush()
        kinds += readAll()
      }
      return kinds
    }
  }

  @Test("Of droppable events the newest of its kind arrives; the rest follows in order")
  func waits() throws {
    let bench = try Bench(128)
    for kind in 0..<4 { bench.send(UInt32(kind)) }
    // Four events fit. Among the others, 5 and 7 may be dropped.
    for kind in [4, 5, 6, 5, 7, 8, 5] { bench.send(UInt32(kind), mayBeMissed: kind % 2 == 1) }
    #expect(bench.readAll() == [0, 1, 2, 3] && !bench.outbox.isEmpty)
    bench.send(10)
    #expect(bench.readAll() == [4, 6, 7, 8])
    bench.outbox.flush()
    #expect(bench.readAll() == [5, 10] && bench.outbox.isEmpty)
    #expect(bench.ring.pointee.missedCount == 2)
  }

  @Test("A reader that never polls costs bounded memory, and misses the oldest")
  func isBounded() throws {
    let bench = try Bench(128)
    for kind in 0..<1_000 { bench.send(UInt32(kind)) }
    #expect(bench.ring.pointee.missedCount == 1_000 - 4 - 128)
    #expect(bench.drain() == [0, 1, 2, 3] + (872..<1_000).map { UInt32($0) })
  }

  @Test("With too many waiting, droppable events are dropped, and no required one")
  func dropsWhatMayBeMissed() throws {
    let bench = try Bench(128)
    // Four events enter the ring, 128 wait.
    for kind in 0..<132 { bench.send(UInt32(kind), mayBeMissed: kind == 70) }
    bench.send(200)
    bench.send(201, mayBeMissed: true)
    #expect(bench.ring.pointee.missedCount == 2)
    let before: [UInt32] = (0..<132).filter { $0 != 70 }
    #expect(bench.drain() == before + [200])
  }

  @Test("A forgotten event never arrives")
  func forgets() throws {
    let bench = try Bench(64)
    for kind in 0..<5 { bench.send(UInt32(kind)) }
    bench.outbox.forget()
    #expect(bench.readAll().count == 2)
    bench.outbox.flush()
    #expect(bench.readAll() == [])
  }
}
