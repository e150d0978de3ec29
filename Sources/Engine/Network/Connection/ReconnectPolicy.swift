import Units

/// Schedules the retries of a lost connection (R4.1, R4.3). A value without a clock, so that tests can cover days.
struct ReconnectPolicy: Hashable, Sendable {
  static let minInterval = Duration(milliseconds: 1_000)
  /// Duration of the eager phase, with a try every second.
  static let eagerDuration = Duration(milliseconds: 120_000)
  static let maxInterval = Duration(milliseconds: 30_000)
  /// Amount of audio that proves a connection good and resets the schedule.
  static let proof = StreamTime(seconds: 10)

  /// Minimum time with audio; a shorter connection counts as a failed try.
  private static let minAudio = Duration(milliseconds: 2_000)

  /// True if audio arrived for at least `minAudio` and half the connection's life. The eager phase restarts then.
  static func wasGood(for audio: Duration, of life: Duration) -> Bool { audio >= minAudio && audio + audio >= life }

  /// Tries planned since a connection was proven good.
  private(set) var attempt = 0
  private var lastTry: MonotonicTime?
  /// Start of the eager phase; `lateCount` counts the tries after that phase.
  private var start: MonotonicTime?
  private var lateCount: Int64 = 0
  private var noise: UInt64

  init(seed: UInt64) { noise = seed | 1 }

  mutating func recordTry(at now: MonotonicTime) { lastTry = now }

  mutating func recordSuccess() {
    attempt = 0
    restartEagerPhase()
  }

  mutating func restartEagerPhase() {
    start = nil
    lateCount = 0
  }

  func soonest(after now: MonotonicTime) -> MonotonicTime { max(now, lastTry.map { $0 + Self.minInterval } ?? now) }

  /// Counts and schedules the next try: at once, then every second for 2 min, then at growing intervals of up to 30 s.
  /// `notBefore`: the time requested by the server.
  mutating func next(after now: MonotonicTime, notBefore: MonotonicTime = .zero) -> MonotonicTime {
    attempt += 1
    let start = start ?? now
    self.start = start
    let soonest = max(notBefore, soonest(after: now))
    return now - start < Self.eagerDuration ? soonest : max(soonest, (lastTry ?? now) + lateDelay())
  }

  private mutating func lateDelay() -> Duration {
    lateCount = min(lateCount + 1, 60)
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let whole = min(Self.maxInterval.nanoseconds, (lateCount + 1) * 1_000_000_000)
    // Up to 10 % less, so that the listeners of a failed station do not all return at once.
    return Duration(nanoseconds: whole - whole / 10_240 * Int64(noise >> 54))
  }
}
