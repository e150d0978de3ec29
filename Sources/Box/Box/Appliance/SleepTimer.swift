import Units

struct SleepTimer: Equatable {
  /// End of the timer; `never` if the timer is off.
  private(set) var due = MonotonicTime.never

  mutating func set(minutes: Int?, at now: MonotonicTime) {
    due = minutes.map { now + Duration(milliseconds: Int64($0) * 60_000) } ?? .never
  }

  /// Remaining minutes, rounded up, at least 1; nil if the timer is off.
  func minutesLeft(at now: MonotonicTime) -> Int? {
    due == .never ? nil : max(1, Int(((due - now).seconds / 60).rounded(.up)))
  }

  /// Returns true once after the end, and switches the timer off.
  mutating func consumeEnd(at now: MonotonicTime) -> Bool {
    guard due != .never, now >= due else { return false }
    due = .never
    return true
  }
}
