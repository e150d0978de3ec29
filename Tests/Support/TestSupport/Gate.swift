import Foundation

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
