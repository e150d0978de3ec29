import Foundation

/// A gate that stays open after a test opened it.
public final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpenNow = false

  /// Creates a closed gate.
  public init() {}

  /// True if the gate is open.
  public var isOpen: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isOpenNow
  }

  /// Opens the gate and wakes all waiting threads.
  public func open() {
    condition.lock()
    isOpenNow = true
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until the gate is open, at most `seconds`. Returns true if it is open.
  @discardableResult
  public func wait(_ seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds / Double(TestClock.current.speed))
    condition.lock()
    defer { condition.unlock() }
    while !isOpenNow { if !condition.wait(until: deadline) { return isOpenNow } }
    return true
  }
}
