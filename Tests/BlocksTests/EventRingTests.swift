import Testing
import Units
import SeededRandom

@testable import Blocks

struct EventRingTests {
  /// Writing and reading at random, held against a plain array.
  @Test("What fits comes out as it went in", arguments: [64, 80, 256, 1_024], [UInt64(1), 2, 3])
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
    let payload = (0..<EventRing.longest).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for round in 0..<50 {
      let event = EventBench.Event(kind: UInt32(round), payload: payload)
      #expect(bench.append(event))
      #expect(bench.next() == event)
    }
  }
}

/// A ring of events in an arena of its own.
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

  func append(_ event: Event) -> Bool {
    event.payload.withUnsafeBytes { ring.pointee.append(kind: event.kind, $0) }
  }

  func next() -> Event? {
    var event: Event?
    let found = ring.pointee.next { event = Event(kind: $0, payload: Array($1)) }
    return found ? event : nil
  }
}
