import Glibc

/// A value behind a lock (`pthread_mutex_lock(3)`), for two threads neither of which is in a hurry. ThreadSanitizer
/// sees it; it does not see the kernel pass on a contended `Mutex`.
final class Locked<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Begins with `value`.
  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Gives `body` the value while nobody else has it.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}
