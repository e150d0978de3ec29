import Foundation

/// Where blocking tests run: each on a thread of its own, a few at a time, so that their waits overlap and the tasks of
/// the testing library are never held up.
public enum Stage {
  /// Runs `body` on a thread of its own when there is a place.
  public static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await Task(executorPreference: ThreadExecutor.shared) { try body() }.value
  }
}

/// A thread for each job, and a bound to how many work at the same time.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()
  private let places = DispatchSemaphore(value: 6)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      places.wait()
      job.runSynchronously(on: asUnownedTaskExecutor())
      places.signal()
    }
  }
}

/// Seconds on the monotonic clock.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
