import Glibc

/// A value behind a lock (`pthread_mutex_lock(3)`), for threads none of which is in a hurry.
///
/// ThreadSanitizer sees it; it does not see the kernel pass on a contended `Mutex`. A thread that takes it twice stops
/// the program.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Begins with `value`.
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

  /// Gives `body` the value while nobody else has it.
  public func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(pthread_mutex_lock(lock) == 0, "a thread takes a lock once at a time")
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
