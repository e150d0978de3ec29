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
