import Units

/// The rounds through all sources while every source is silent. A value.
struct Round: Equatable {
  private var startedAt: MonotonicTime?
  private var count = 0
  /// Start of the next round; nil while a round runs.
  private(set) var next: MonotonicTime?

  init() {}

  init(at now: MonotonicTime) { startedAt = now }

  /// Ends a round. The next round starts 10 s after the start of this one, later with growing intervals.
  mutating func end(at now: MonotonicTime) {
    count = min(count + 1, 6)
    let interval = Duration(nanoseconds: ContinuityRules.minRetry.nanoseconds << (count - 1))
    next = max(now, (startedAt ?? now) + min(ContinuityRules.maxRetry, interval))
  }

  mutating func hasten(to moment: MonotonicTime) { next = next.map { min($0, moment) } }

  mutating func start(at now: MonotonicTime) { (startedAt, next) = (now, nil) }
}
