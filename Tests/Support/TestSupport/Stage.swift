import Foundation

/// Runs blocking tests on their own threads, a few at a time. Their waits overlap, and they never block the threads of
/// the testing library.
public enum Stage {
  /// Runs `body` on its own thread. If `isAlone`, no other body runs at the same time. The body's clock, and the clock
  /// of its radios and stations, is `speed` times faster than real time.
  public static func run(
    speed: Int = 1, isAlone: Bool = false, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    try await Task(executorPreference: isAlone ? ThreadExecutor.alone : ThreadExecutor.shared) {
      try TestClock.run(speed: speed, body)
    }.value
  }
}

/// Runs each job on its own thread and limits the number of running jobs: seven, or `BAKELITE_PLACES`.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor(taking: 1)
  static let alone = ThreadExecutor(taking: placeCount)

  private static let placeCount =
    ProcessInfo.processInfo.environment["BAKELITE_PLACES"].flatMap { Int($0) } ?? 7
  private static let places = DispatchSemaphore(value: placeCount)
  /// Locked while a job waits for its places: two jobs that need several places would deadlock.
  private static let queueLock = NSLock()
  private let count: Int

  /// Creates an executor. Each job needs `count` places.
  private init(taking count: Int) { self.count = count }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      Self.queueLock.withLock { for _ in 0..<count { Self.places.wait() } }
      job.runSynchronously(on: asUnownedTaskExecutor())
      for _ in 0..<count { Self.places.signal() }
    }
  }
}

/// Returns the monotonic time in seconds on the clock of the current task or thread.
public func monotonicSeconds() -> Double { TestClock.current.clock.now().seconds }

extension Thread {
  /// Runs `body` on a new thread with the caller's clock.
  static func detachWithClock(_ body: @escaping @Sendable () -> Void) {
    let clock = TestClock.current
    detachNewThread { clock.run(body) }
  }
}
