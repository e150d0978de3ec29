import Foundation

/// Where blocking tests run: on threads of their own, a few at a time, so that the waits of many overlap.
public enum Stage {
  private static let places = DispatchSemaphore(value: 5)

  /// Runs `body` on a thread of its own when there is a place.
  public static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        places.wait()
        let result = Result { try body() }
        places.signal()
        continuation.resume(with: result)
      }
    }
  }
}

/// Seconds on the monotonic clock.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
