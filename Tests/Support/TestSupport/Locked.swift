import Foundation

/// A value behind a lock that ThreadSanitizer sees; it does not see the kernel pass on a contended `Mutex`.
public final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Begins with `value`.
  public init(_ value: Value) { self.value = value }

  /// Gives `body` the value while nobody else has it.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// A gate that is shut until a test opens it, for good.
public final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpenNow = false

  /// A shut gate.
  public init() {}

  /// Whether it was opened.
  public var isOpen: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isOpenNow
  }

  /// Lets all pass who wait, and all who come.
  public func open() {
    condition.lock()
    isOpenNow = true
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until it is open, at most so many seconds; whether it is.
  @discardableResult
  public func wait(_ seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds / Double(TestClock.current.speed))
    condition.lock()
    defer { condition.unlock() }
    while !isOpenNow { if !condition.wait(until: deadline) { return isOpenNow } }
    return true
  }
}
