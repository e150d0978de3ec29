import Foundation

/// Where blocking tests run: each on a thread of its own, a few at a time, so that their waits overlap and the tasks of
/// the testing library are never held up.
public enum Stage {
  /// Runs `body` on a thread of its own when there is a place or, if it `isAlone`, when nobody else has one.
  ///
  /// Its clock, and that of the radios and stations that it makes, goes `speed` times faster than others': what is told
  /// in seconds takes so much less.
  public static func run(
    speed: Int = 1, isAlone: Bool = false, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    try await Task(executorPreference: isAlone ? ThreadExecutor.alone : ThreadExecutor.shared) {
      try TestClock.run(speed: speed, body)
    }.value
  }
}

/// A thread for each job, and a bound to how many work at the same time: seven, or `BAKELITE_PLACES`.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor(taking: 1)
  static let alone = ThreadExecutor(taking: placeCount)

  private static let placeCount =
    ProcessInfo.processInfo.environment["BAKELITE_PLACES"].flatMap { Int($0) } ?? 7
  private static let places = DispatchSemaphore(value: placeCount)
  /// Held while places are taken, so that two who want several never wait for each other.
  private static let turn = NSLock()
  private let count: Int

  /// Its jobs take so many places each.
  private init(taking count: Int) { self.count = count }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      Self.turn.withLock { for _ in 0..<count { Self.places.wait() } }
      job.runSynchronously(on: asUnownedTaskExecutor())
      for _ in 0..<count { Self.places.signal() }
    }
  }
}

/// Seconds on the monotonic clock, as it goes for the calling task or thread.
public func monotonicSeconds() -> Double { TestClock.current.clock.now().seconds }

extension Thread {
  /// Runs `body` on a thread of its own, for which the clock goes as for the caller.
  static func detachInStep(_ body: @escaping @Sendable () -> Void) {
    let clock = TestClock.current
    detachNewThread { clock.run(body) }
  }
}
