import AudioOutput
import Blocks
import System
import Testing
import Units

struct MemoryBudgetTests {
  @Test("An engine takes exactly its budget (D1)", arguments: [BlockPool.minCount, 100, 1_200])
  func budgetIsExact(_ blockCount: Int) throws {
    let budget = MemoryBudget(blockCount: blockCount)
    let arena = try Arena(budget.total)
    let start = UnsafeRawPointer(arena.reserve(UInt8.self, count: 0))
    let board = StatusBoard.make(in: arena)
    _ = BlockRing.make(blockCount: blockCount, in: arena)
    let periods = PeriodRing.make(in: arena)
    _ = arena.reserve(UInt8.self, count: MemoryBudget.decoderScratch)
    _ = FileQueue.make(in: arena)
    let thread = try RenderThread(OutputRequest(.null), periods, board, clock: .machine, in: arena)
    let end = UnsafeRawPointer(arena.reserve(UInt8.self, count: 0))
    #expect(end - start == budget.total.value)
    arena.seal()
    thread.stop()
  }

  @Test func theDefaultIs6_144_000BytesOfBlocks() throws {
    let lines = MemoryBudget(blockCount: 1_200).lines
    let blocks = try #require(lines.first)
    #expect(blocks.consumer == "blocks of 5120 bytes (1200)")
    #expect(blocks.byteCount == ByteCount(6_144_000) + Arena.cost(of: UInt32.self, count: 1_200))
    #expect(lines.reduce(ByteCount.zero) { $0 + $1.byteCount } == MemoryBudget(blockCount: 1_200).total)
  }

  @Test func theSumReadsAsOne() {
    let rows = MemoryBudget(blockCount: 1_200).description.split(separator: "\n")
    #expect(rows.count == MemoryBudget(blockCount: 1_200).lines.count + 1)
    #expect(rows.first == "   6005 KiB  blocks of 5120 bytes (1200)")
    #expect(rows.last?.hasSuffix("KiB  in all") == true)
  }
}
