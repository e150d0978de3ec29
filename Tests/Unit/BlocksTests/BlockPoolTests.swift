import CLinux
import Synchronization
import Testing
import Units

@testable import Blocks

struct BlockPoolTests {
  @Test func everyBlockIsHandedOutOnce() throws {
    let bench = try RingBench()
    let pool = bench.pool
    let taken = (0...BlockPool.minCount).map { _ in pool.pointee.allocate() }
    #expect(Set(taken.compactMap(\.self)) == Set(0..<UInt32(BlockPool.minCount)))
    #expect(taken.last == .some(nil))
    #expect(bench.available == 0)
    for index in taken.compactMap(\.self) { pool.pointee.free(index) }
    #expect(bench.available == BlockPool.minCount)
  }

  @Test func blocksDoNotOverlap() throws {
    let bench = try RingBench()
    let pool = bench.pool
    #expect(Block.isLaidOutAsPlanned)
    let header = UnsafeMutableRawPointer(pool.pointee.block(3))
    let payload = pool.pointee.payload(3)
    let next = UnsafeMutableRawPointer(pool.pointee.block(4))
    #expect(payload - header == Block.headerByteCount)
    #expect(next - payload == Block.payloadByteCount)
  }

  @Test func aLeaseGivesItsBlockBack() throws {
    let bench = try RingBench()
    let pool = bench.pool
    do {
      let lease = BlockLease(from: pool)
      #expect(bench.available == BlockPool.minCount - 1)
      _ = consume lease
    }
    #expect(bench.available == BlockPool.minCount)
  }

  @Test func aLeasePutAwayIsKeptUntilItIsReclaimed() throws {
    let bench = try RingBench()
    let pool = bench.pool
    let kept = BlockLease(from: pool)?.putAway()
    let index = try #require(kept)
    #expect(bench.available == BlockPool.minCount - 1)
    _ = BlockLease(reclaiming: index, from: pool)
    #expect(bench.available == BlockPool.minCount)
  }

  @Test func twoThreadsNeverHoldTheSameBlock() throws {
    let bench = try RingBench()
    nonisolated(unsafe) let pool = bench.pool
    let holders = Holders()
    let work: @Sendable () -> Void = {
      for round in 0..<100_000 {
        let one = pool.pointee.allocate()
        let other = round % 3 == 0 ? pool.pointee.allocate() : nil
        for index in [one, other] {
          guard let index else { continue }
          holders.enter(index)
          holders.leave(index)
          pool.pointee.free(index)
        }
      }
    }
    concurrently(work, work)
    let hasMet = holders.hasMet.load(ordering: .relaxed)
    #expect(!hasMet)
    #expect(bench.available == BlockPool.minCount)
  }

  private final class Holders: Sendable {
    let held = Atomic<Int>(0)
    let hasMet = Atomic<Bool>(false)

    func enter(_ index: UInt32) {
      let before = held.bitwiseOr(1 << Int(index), ordering: .relaxed).oldValue
      if before & 1 << Int(index) != 0 { hasMet.store(true, ordering: .relaxed) }
    }

    func leave(_ index: UInt32) { held.bitwiseAnd(~(1 << Int(index)), ordering: .relaxed) }
  }
}
