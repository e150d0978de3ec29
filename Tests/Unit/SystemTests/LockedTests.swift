import System
import Testing

@Suite struct LockedTests {
  @Test("A lock taken again by its own thread traps instead of deadlocking")
  func takenTwice() async {
    await #expect(processExitsWith: .failure) {
      let lock = Locked(0)
      lock.withLock { _ in lock.withLock { $0 += 1 } }
    }
  }
}
