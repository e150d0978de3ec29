import Foundation
import Testing
import Units

@testable import Blocks

/// Rings that share a pool, and the exchange of their blocks.
struct StandbyRingTests {
  /// A heard ring and a standby ring of one pool, each with a writer.
  private final class Bench {
    let (heard, standby): (UnsafePointer<BlockRing>, UnsafePointer<BlockRing>)
    var first: BlockWriter
    var second: BlockWriter
    private var reader: BlockReader
    private let packet = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
    private let arena: Arena

    init(blockCount: Int = 192) throws {
      arena = try Arena(MemoryBudget(blockCount: blockCount, standbyCount: 1).total)
      heard = BlockRing.make(blockCount: blockCount, in: arena)
      guard let ring = heard.pointee.makeStandby(in: arena) else { throw POSIXError(.ENOMEM) }
      standby = ring
      first = BlockWriter(heard)
      second = BlockWriter(standby)
      reader = BlockReader(heard)
      first.begin(epoch: 1)
      second.begin(epoch: 0)
    }

    deinit { packet.deallocate() }

    static func write(_ numbers: Range<Int>, to writer: inout BlockWriter, byteCount: Int = 2_000) -> Bool {
      numbers.allSatisfy { number in
        Packet.bytes(number, byteCount).withUnsafeBytes { writer.append(Packet.info(number, byteCount), $0) }
      }
    }

    func read() -> (number: Int, held: HeldPacket)? {
      guard let held = reader.next(into: packet) else { return nil }
      return (Packet.number(held, packet) ?? -1, held)
    }

    /// Violated invariants of pool and rings: each block is free, or in one ring, once.
    func broken() -> [String] {
      var blocks = heard.pointee.pool.pointee.freeBlocks
      for ring in [heard, standby] {
        for sequence in ring.pointee.first.load(ordering: .relaxed)..<ring.pointee.end.load(ordering: .relaxed) {
          blocks.append(ring.pointee.slot(sequence).pointee.load(ordering: .relaxed))
        }
      }
      for place in 0..<3 {
        let deferred = [first.reclaimer.deferred[place], second.reclaimer.deferred[place]]
        blocks += deferred.filter(\.isThere).map(\.index)
      }
      let whole = (0..<UInt32(heard.pointee.pool.pointee.count)).map { $0 }
      return (blocks.sorted() == whole ? [] : ["blocks \(blocks.sorted())"]) + heard.pointee.checkInvariants()
        + standby.pointee.checkInvariants()
    }
  }

  @Test("An exchange moves each packet with its time and bytes, and the reader continues with the other programme")
  func exchange() throws {
    let bench = try Bench()
    #expect(Bench.write(0..<10, to: &bench.first))
    #expect(Bench.write(100..<108, to: &bench.second))
    #expect(bench.read()?.number == 0)
    let end = bench.second.time
    BlockWriter.exchange(&bench.first, &bench.second, epoch: 2)
    #expect(bench.second.epoch == 2 && bench.second.time == end && bench.second.held == end)
    for number in 100..<108 {
      let (read, held) = try #require(bench.read())
      #expect(read == number && held.epoch == 2)
      #expect(held.start.ticks == Packet.duration.ticks * Int64(number - 100))
    }
    #expect(bench.read() == nil)
    // Both programmes go on: the writers have exchanged their rings.
    #expect(Bench.write(108..<109, to: &bench.second) && bench.read()?.number == 108)
    #expect(Bench.write(10..<12, to: &bench.first))
    // The reader had pinned the first block, so the standby ring has the later ones.
    #expect(bench.first.time.ticks == Packet.duration.ticks * 12)
    BlockWriter.exchange(&bench.second, &bench.first, epoch: 3)
    var numbers: [Int] = []
    while let (number, held) = bench.read() {
      #expect(held.epoch == 3 && held.start.ticks == Packet.duration.ticks * Int64(number))
      numbers.append(number)
    }
    #expect(numbers == Array(2..<12), "two packets fit into the pinned block")
  }

  @Test("The newest audio remains in the standby ring, as much as it may borrow, and the rest is freed")
  func limit() throws {
    let bench = try Bench()
    let count = try #require(BlockRing.standbyBlockCount(of: 192))
    #expect(Bench.write(0..<300, to: &bench.first))
    BlockWriter.exchange(&bench.first, &bench.second, epoch: 2)
    let left = bench.standby.pointee.end.load(ordering: .relaxed) - bench.standby.pointee.first.load(ordering: .relaxed)
    #expect(left == count - BlockWriter.readRoom)
    // The reader's pin protects the first block.
    #expect(bench.heard.pointee.pool.pointee.available == 192 - left - 1)
    #expect(bench.broken() == [])
    // Room for a read is left; then the standby ring is full, and the pool is not.
    #expect(bench.first.makeRoom(BlockWriter.readRoom) && !bench.first.makeRoom(BlockWriter.readRoom + 1))
    #expect(Bench.write(300..<(300 + 2 * BlockWriter.readRoom), to: &bench.first))
    #expect(!Bench.write(400..<402, to: &bench.first))
    #expect(bench.broken() == [])
  }

  @Test("Skipped audio is freed, except the block of the position")
  func skip() throws {
    let bench = try Bench()
    #expect(Bench.write(0..<10, to: &bench.second))
    bench.second.skip(to: StreamTime(ticks: Packet.duration.ticks * 5))
    #expect(bench.second.ahead.ticks == Packet.duration.ticks * 5)
    #expect(bench.second.held.ticks == Packet.duration.ticks * 6, "packets 4 and 5 share a block")
    #expect(bench.broken() == [])
    bench.second.skip(to: StreamTime(seconds: 1_000))
    #expect(bench.second.ahead == .zero && bench.second.held.ticks == Packet.duration.ticks * 2)
  }

  @Test("A new programme frees all blocks of a standby ring, also the block of the position")
  func begin() throws {
    let bench = try Bench()
    #expect(Bench.write(0..<2, to: &bench.second, byteCount: 50_000))
    bench.second.skip(to: StreamTime(ticks: Packet.duration.ticks))
    bench.second.begin(epoch: 0)
    #expect(bench.heard.pointee.pool.pointee.available == 192 && bench.broken() == [])
  }

  @Test("The limits of a standby ring are its own 24 blocks; the pool lends to it only within them")
  func room() throws {
    let bench = try Bench()
    #expect(bench.second.blocksNeeded(for: 40_000) != nil && bench.first.blocksNeeded(for: 40_000) == nil)
    #expect(bench.second.room(beside: 500_000) <= 24 && bench.second.maxFree == 24)
    let lackedBefore = bench.second.lacksPool(24)
    #expect(Bench.write(0..<360, to: &bench.first))
    #expect(!lackedBefore && bench.second.lacksPool(24) && !bench.second.lacksPool(25))
  }

  @Test("A packet longer than a block moves with its run")
  func runs() throws {
    let bench = try Bench()
    #expect(Bench.write(0..<3, to: &bench.second, byteCount: 12_000))
    BlockWriter.exchange(&bench.first, &bench.second, epoch: 2)
    for number in 0..<3 { #expect(bench.read()?.number == number) }
    #expect(bench.broken() == [])
  }

  @Test(
    "A small pool has no standby rings, and the budget covers the rings of others",
    arguments: [16, 191, 192, 1_200, 12_000])
  func budget(_ blockCount: Int) throws {
    let arena = try Arena(BlockRing.cost(blockCount) + BlockPool.cost(blockCount) + BlockRing.standbyCost(blockCount))
    let ring = BlockRing.make(blockCount: blockCount, in: arena)
    let isMade = ring.pointee.makeStandby(in: arena) != nil
    #expect(isMade == (blockCount >= Limits.prefetchBlockCount))
  }
}
