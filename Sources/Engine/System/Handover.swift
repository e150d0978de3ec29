/// Passes values from one thread to another and wakes it. Any thread. The flag is raised exactly while a value waits:
/// value and flag change under one lock, so that no flag is raised after its value was removed.
public final class Handover<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let flag = WakeFlag()

  /// Creates a handover without a value.
  public init() {}

  /// The descriptor for poll(2) and epoll(7), valid while the handover exists. Readable while a value waits.
  public var descriptor: Int32 { flag.descriptor }

  /// Stores a value in place of a value that still waits.
  public func put(_ new: Value) {
    value.withLock {
      $0 = new
      flag.raise()
    }
  }

  /// Removes and returns the waiting value; nil without a value.
  public func remove() -> Value? {
    value.withLock {
      flag.clear()
      return $0.take()
    }
  }
}
