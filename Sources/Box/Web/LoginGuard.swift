import Units

/// How often a password may be wrong: 20 times within an hour, over all addresses.
struct LoginGuard {
  private var failures: [MonotonicTime] = []

  static let mostFailures = 20
  private static let window = Duration(milliseconds: 3_600_000)

  init() {}

  /// The seconds until the next password may be told; nil where it may be now.
  mutating func wait(at now: MonotonicTime) -> Int? {
    failures.removeAll { now - $0 >= Self.window }
    guard failures.count >= Self.mostFailures, let first = failures.first else { return nil }
    return max(1, Int((first + Self.window - now).seconds.rounded(.up)))
  }

  /// Notes a wrong password.
  mutating func fail(at now: MonotonicTime) { failures.append(now) }
}
