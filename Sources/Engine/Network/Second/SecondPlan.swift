import Units

/// Decides when a station is received by a second connection, and when that connection is tried. A value; the caller
/// passes the time.
struct SecondPlan: Hashable, Sendable {
  private var use = SecondSourceRule.Use.never
  private var lastFailure: MonotonicTime?
  /// End of the time with a second connection, after two failures.
  private var end: MonotonicTime?
  private var policy = ReconnectPolicy(seed: 0)
  private(set) var nextTry = MonotonicTime.zero
  /// Number of failed tries, which selects the next address.
  private(set) var failureCount = 0

  /// Maximum time between two failures of a troubled station.
  static let failureInterval = Duration(seconds: 600)
  /// Time with a second connection after the second failure.
  static let troubleDuration = Duration(seconds: 3_600)

  mutating func begin(_ use: SecondSourceRule.Use, seed: UInt64) {
    self = SecondPlan()
    self.use = use
    policy = ReconnectPolicy(seed: seed)
  }

  mutating func use(_ use: SecondSourceRule.Use) { self.use = use }

  // MARK: Events

  /// Records a failure of a connection that delivered audio.
  mutating func recordFailure(at now: MonotonicTime) {
    if let lastFailure, now - lastFailure <= Self.failureInterval { end = now + Self.troubleDuration }
    lastFailure = now
  }

  mutating func recordTry(at now: MonotonicTime) {
    policy.recordTry(at: now)
    nextTry = now + ReconnectPolicy.minInterval
  }

  /// Records a failed try or a lost second connection. `delay`: the delay that its server requested.
  mutating func recordFailedTry(at now: MonotonicTime, delay: Duration = .zero) {
    failureCount += 1
    nextTry = policy.next(after: now, notBefore: now + delay)
  }

  /// Records that the second connection was proven good.
  mutating func recordSuccess() { policy.recordSuccess() }

  mutating func restartEagerPhase() { policy.restartEagerPhase() }

  // MARK: Decisions

  func isWanted(at now: MonotonicTime) -> Bool {
    switch use {
    case .never: false
    case .onTrouble: end.map { now < $0 } ?? false
    case .always: true
    }
  }
}
