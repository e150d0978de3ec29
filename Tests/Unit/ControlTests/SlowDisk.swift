import Foundation

/// A disk whose reads wait for the test.
final class SlowDisk: Sendable {
  private let condition = NSCondition()
  private nonisolated(unsafe) var allowed = 0
  private nonisolated(unsafe) var reading = 0
  private nonisolated(unsafe) var done = 0

  /// Number of reads that wait.
  var readingCount: Int { condition.withLock { reading } }
  /// Number of ended reads.
  var count: Int { condition.withLock { done } }

  /// Ends this number of reads, now or later.
  func free(_ more: Int) {
    condition.withLock {
      allowed += more
      condition.broadcast()
    }
  }

  func read() {
    condition.withLock {
      reading += 1
      while allowed == 0 { condition.wait() }
      allowed -= 1
      reading -= 1
      done += 1
    }
  }
}
