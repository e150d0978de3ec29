import Glibc

/// A value behind a lock (`pthread_mutex_lock(3)`), for threads none of which is in a hurry.
///
/// ThreadSanitizer sees it; it does not see the kernel pass on a contended `Mutex`.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Begins with `value`.
  public init(_ value: consuming Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Gives `body` the value while nobody else has it.
  public func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
