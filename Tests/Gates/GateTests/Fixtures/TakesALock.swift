// expect: not available in this module
import Synchronization

final class Gain: Sendable {
  let level = Mutex<Int32>(0)

  @_noLocks
  func current() -> Int32 { level.withLock { $0 } }
}
