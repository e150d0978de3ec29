import System
import Testing

@Suite struct LockedTests {
  @Test("A lock that its own thread takes again stops the program, which would stand still otherwise")
  func takenTwice() async {
    await #expect(processExitsWith: .failure) {
      let lock = Locked(0)
      lock.withLock { _ in lock.withLock { $0 += 1 } }
    }
  }
}
