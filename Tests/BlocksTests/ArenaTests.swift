import Testing
import Units

@testable import Blocks

struct ArenaTests {
  @Test func piecesAreZeroedAndApart() throws {
    let arena = try Arena(ByteCount(256))
    let one = arena.reserve(UInt8.self, count: 3)
    let other = arena.reserve(Int.self, count: 16)
    #expect(UInt(bitPattern: one) % 64 == 0)
    #expect(UnsafeRawPointer(other) - UnsafeRawPointer(one) == 64)
    #expect((0..<16).allSatisfy { other[$0] == 0 })
    #expect(Arena.cost(of: Int.self, count: 16) == ByteCount(128))
    #expect(Arena.cost(of: UInt8.self, count: 0) == .zero)
    withExtendedLifetime(arena) {}
  }

  @Test func memoryThatIsNotThereIsASentence() {
    let error = #expect(throws: ArenaError.self) { _ = try Arena(ByteCount(1 << 60)) }
    #expect(error?.description.hasSuffix("make the buffer smaller (--buffer-blocks) or free some memory.") == true)
  }

  @Test func nothingIsReservedOnceItIsSealed() async {
    await #expect(processExitsWith: .failure) {
      let arena = try Arena(.kibi(1))
      arena.seal()
      _ = arena.reserve(UInt8.self)
    }
  }

  @Test func aBudgetThatIsTooSmallIsNoticed() async {
    await #expect(processExitsWith: .failure) {
      let arena = try Arena(ByteCount(64))
      _ = arena.reserve(UInt8.self, count: 65)
    }
  }
}
