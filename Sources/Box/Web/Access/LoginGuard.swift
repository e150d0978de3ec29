import Units

/// Limits wrong passwords: 20 within an hour, over all addresses.
struct LoginGuard {
  private var failures: [MonotonicTime] = []

  static let maxFailures = 20
  private static let window = Duration(milliseconds: 3_600_000)

  init() {}

  /// Seconds until the next attempt; nil if allowed now.
  mutating func wait(at now: MonotonicTime) -> Int? {
    failures.removeAll { now - $0 >= Self.window }
    guard failures.count >= Self.maxFailures, let first = failures.first else { return nil }
    return max(1, Int((first + Self.window - now).seconds.rounded(.up)))
  }

  mutating func fail(at now: MonotonicTime) { failures.append(now) }
}
