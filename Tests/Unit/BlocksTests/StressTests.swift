import Foundation
import SeededRandom
import Synchronization
import Testing
import Units

@testable import Blocks

/// Two threads at both ends of a ring; also run under ThreadSanitizer.
@Suite(.serialized)
struct StressTests {
  @Test func aMillionPacketsPassWholeAndInOrder() throws {
    let count = 1_000_000
    let bench = try RingBench(blockCount: 32)
    nonisolated(unsafe) let ring = bench.ring
    var expected = 0
    concurrently {
      var writer = BlockWriter(ring)
      var random = SeededGenerator(1)
      let source = Source()
      for number in 0..<count {
        let byteCount = Packet.smallest + Int(random.next() % 64)
        while !source.append(number, byteCount, to: &writer) { sched_yield() }
      }
      writer.finish()
    } _: {
      var reader = BlockReader(ring)
      let packet = Destination()
      while true {
        let isAll = reader.hasEnded(1)
        if let held = reader.next(into: packet.start) {
          guard packet.number(held) == expected else { break }
          expected += 1
        } else if isAll {
          break
        } else {
          sched_yield()
        }
      }
    }
    #expect(expected == count)
    withExtendedLifetime(bench) {}
  }

  /// A second cursor reads whole packets in order and reports dropped ones. The ring never waits for a cursor.
  @Test func aCursorHoldsNothingUp() throws {
    let count = 300_000
    let bench = try RingBench()
    nonisolated(unsafe) let ring = bench.ring
    var (torn, seen, lost, last) = (0, 0, 0, -1)
    concurrently {
      var writer = BlockWriter(ring)
      var reader = BlockReader(ring)
      let (source, packet) = (Source(), Destination())
      for number in 0..<count {
        let hasRoom = writer.makeRoom(4, wraps: true)
        precondition(hasRoom && source.append(number, 300 + number % 400, to: &writer), "there is always room")
        // The reader occupies its own block and moves occasionally.
        if number % 50 == 0 { _ = reader.next(into: packet.start) }
      }
      writer.finish()
    } _: {
      var cursor = BlockCursor(ring)
      let packet = Destination()
      while true {
        let isAll = ring.pointee.hasEnded(1)
        if let held = cursor.next(into: packet.start) {
          guard let number = packet.number(held), number > last else {
            torn += 1
            continue
          }
          if number != last + 1 {
            // The writer may have dropped packets before the cursor existed.
            if !cursor.hasLost, last >= 0 { torn += 1 }
            lost += 1
            cursor.hasLost = false
          }
          last = number
          seen += 1
        } else if isAll {
          break
        }
      }
    }
    #expect(torn == 0)
    #expect(last == count - 1 && seen > 0)
    withExtendedLifetime(bench) {}
  }

  /// A wrapping ring drops unread blocks of a slow reader. All packets read are whole and in order.
  @Test func wrappingTearsNoPacket() throws {
    let count = 300_000
    let bench = try RingBench()
    nonisolated(unsafe) let ring = bench.ring
    var (torn, heard, last) = (0, 0, -1)
    concurrently {
      var writer = BlockWriter(ring)
      let source = Source()
      for number in 0..<count {
        let hasRoom = writer.makeRoom(4, wraps: true)
        precondition(hasRoom && source.append(number, 300 + number % 400, to: &writer), "there is always room")
      }
      writer.finish()
    } _: {
      var reader = BlockReader(ring)
      let packet = Destination()
      while true {
        let isAll = reader.hasEnded(1)
        if let held = reader.next(into: packet.start) {
          guard let number = packet.number(held), number > last else {
            torn += 1
            continue
          }
          last = number
          heard += 1
        } else if isAll {
          break
        }
      }
    }
    #expect(torn == 0)
    #expect(last == count - 1 && heard > 0)
    withExtendedLifetime(bench) {}
  }

  /// A run of blocks is dropped as a whole, so a long packet is read whole or not at all. There is room for the newest
  /// run, the reader's two, and one more.
  @Test func wrappingTearsNoRun() throws {
    let count = 30_000
    let bench = try RingBench(blockCount: 36)
    nonisolated(unsafe) let ring = bench.ring
    var (torn, heard, last) = (0, 0, -1)
    concurrently {
      var writer = BlockWriter(ring)
      let source = Source()
      for number in 0..<count {
        let byteCount = number % 3 == 0 ? 300 : 4_000 + number * 997 % 36_000
        let hasRoom = writer.makeRoom(9, wraps: true)
        precondition(hasRoom && source.append(number, byteCount, to: &writer), "there is always room")
      }
      writer.finish()
    } _: {
      var reader = BlockReader(ring)
      let packet = Destination()
      while true {
        let isAll = reader.hasEnded(1)
        if let held = reader.next(into: packet.start) {
          let number = packet.firstNumber
          if !packet.hasPieces(of: held, number, &reader) || number <= last { torn += 1 }
          last = number
          heard += 1
        } else if isAll {
          break
        }
      }
    }
    #expect(torn == 0)
    #expect(last == count - 1 && heard > 0)
    withExtendedLifetime(bench) {}
  }

  /// A zap may drop the packet being read. The packet is read whole or not at all.
  @Test func zapsTearNoPacket() throws {
    let epochs: UInt32 = 20_000
    let bench = try RingBench(epoch: 0)
    nonisolated(unsafe) let ring = bench.ring
    var torn = 0
    var last: UInt32 = 0
    concurrently {
      var writer = BlockWriter(ring)
      let source = Source()
      for epoch in 1...epochs {
        writer.begin(epoch: epoch)
        for _ in 0..<20 { _ = source.append(Int(epoch), 600 + Int(epoch % 400), to: &writer) }
      }
      writer.finish()
    } _: {
      var reader = BlockReader(ring)
      let packet = Destination()
      while true {
        let isAll = reader.hasEnded(epochs)
        if let held = reader.next(into: packet.start) {
          if packet.number(held) != Int(held.epoch) || held.epoch < last { torn += 1 }
          last = held.epoch
        } else if isAll {
          break
        }
      }
    }
    #expect(torn == 0)
    #expect(last == epochs)
    withExtendedLifetime(bench) {}
  }

  /// The reader requests a wake-up and then checks for packets. The writer appends a packet and then checks for a
  /// request.
  @Test("A sleeping reader is woken, or saw the packet")
  func nobodySleepsBesideAPacket() throws {
    let rounds = 80_000
    nonisolated(unsafe) let bench = try RingBench()
    let barrier = Barrier(2)
    nonisolated(unsafe) var isCalled = false
    var random = SeededGenerator(3)
    var missed = 0
    concurrently {
      for number in 0..<rounds {
        barrier.wait()
        precondition(bench.write(number, byteCount: 100), "all was read")
        isCalled = bench.isAwaited
        barrier.wait()
      }
    } _: {
      for _ in 0..<rounds {
        bench.await(false)
        // The writer needs time to copy its packet. With a random delay, both checks coincide in some rounds.
        let delay = Int(random.next() % 400)
        barrier.wait()
        for _ in 0..<delay { _ = bench.available }
        bench.await(true)
        let isSeen = bench.ahead > .zero
        barrier.wait()
        if !isSeen, !isCalled { missed += 1 }
        while bench.read() != nil {}
      }
    }
    #expect(missed == 0)
  }
}

/// Spins until all threads have arrived, so that the threads continue at the same moment.
private final class Barrier: Sendable {
  private let threads: Int
  private let arrived = Atomic<Int>(0)

  init(_ threads: Int) { self.threads = threads }

  func wait() {
    let number = arrived.add(1, ordering: .acquiringAndReleasing).newValue
    let all = (number + threads - 1) / threads * threads
    var looks = 0
    while arrived.load(ordering: .acquiring) < all {
      looks += 1
      // On a single core, the other thread needs its turn.
      if looks > 1_000 { sched_yield() }
    }
  }
}

/// The bytes of a packet, rewritten for each packet.
private final class Source {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 40_960, alignment: 16)

  deinit { bytes.deallocate() }

  func append(_ number: Int, _ byteCount: Int, to writer: inout BlockWriter) -> Bool {
    let packet = UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount])
    packet.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number &* 31 &+ byteCount))
    packet.storeBytes(of: number, as: Int.self)
    return writer.append(Packet.info(number, byteCount), UnsafeRawBufferPointer(packet))
  }
}

private final class Destination {
  let start = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)

  deinit { start.deallocate() }

  /// Number stored in the packet's bytes.
  var firstNumber: Int { start.load(as: Int.self) }

  /// True if all pieces of packet `number` are intact.
  func hasPieces(of held: HeldPacket, _ number: Int, _ reader: inout BlockReader) -> Bool {
    let fill = UInt8(truncatingIfNeeded: number &* 31 &+ held.info.byteCount)
    var count = min(held.info.byteCount, Block.firstPieceByteCount)
    var (left, first) = (held.info.byteCount, Packet.smallest)
    while count > first {
      let ends = (
        start.load(fromByteOffset: first, as: UInt8.self), start.load(fromByteOffset: count - 1, as: UInt8.self)
      )
      guard ends == (fill, fill) else { return false }
      left -= count
      (count, first) = (reader.more(into: start), 0)
    }
    return left == 0 && held.info == Packet.info(number, held.info.byteCount)
  }

  /// Number of a packet; nil if its bytes changed.
  func number(_ held: HeldPacket) -> Int? {
    guard held.info.byteCount >= Packet.smallest else { return nil }
    let number = start.load(as: Int.self)
    let fill = UInt8(truncatingIfNeeded: number &* 31 &+ held.info.byteCount)
    let last = start.load(fromByteOffset: held.info.byteCount - 1, as: UInt8.self)
    guard held.info.byteCount == Packet.smallest || last == fill else { return nil }
    return held.info == Packet.info(number, held.info.byteCount) ? number : nil
  }
}
