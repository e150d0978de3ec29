import Units

/// When the box goes to standby by itself. A value that is told the time.
struct SleepTimer: Equatable {
  /// The moment; `never` where the timer is off.
  private(set) var due = MonotonicTime.never

  /// Sets it to go off in so many minutes; nil: off.
  mutating func set(minutes: Int?, at now: MonotonicTime) {
    due = minutes.map { now + Duration(milliseconds: Int64($0) * 60_000) } ?? .never
  }

  /// Whole minutes until then, 1 at least; nil where it is off.
  func minutesLeft(at now: MonotonicTime) -> Int? {
    due == .never ? nil : max(1, Int(((due - now).seconds / 60).rounded(.up)))
  }

  /// Whether it goes off now; once.
  mutating func takeEnd(at now: MonotonicTime) -> Bool {
    guard due != .never, now >= due else { return false }
    due = .never
    return true
  }
}
