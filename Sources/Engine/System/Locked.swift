import Glibc

/// A value with a lock (`pthread_mutex_lock(3)`), for threads without real-time needs; ThreadSanitizer does not
/// understand a contended `Mutex`. Locking twice on one thread traps.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Creates the lock with its value.
  public init(_ value: consuming Value) {
    self.value = value
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with exclusive access to the value.
  public func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(pthread_mutex_lock(lock) == 0, "a thread takes a lock once at a time")
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
