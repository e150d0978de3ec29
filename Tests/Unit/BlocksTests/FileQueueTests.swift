import Testing
import Units

@testable import Blocks

struct FileQueueTests {
  @Test("Neighbouring slots share no cache line")
  func slots() throws {
    let arena = try Arena(FileQueue.cost)
    let queue = FileQueue.make(in: arena)
    let places = (0..<FileQueue.slotCount).compactMap { queue.pointee.slot($0).bytes.baseAddress }
    #expect(places.count == FileQueue.slotCount)
    #expect(zip(places, places.dropFirst()).allSatisfy { ($1 - $0) % Arena.alignment == 0 })
    withExtendedLifetime(arena) {}
  }
}
