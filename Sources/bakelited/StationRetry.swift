import Units

/// When a station that was given up is tried again, and how (R4.3).
struct StationRetry {
  /// One more try.
  struct Attempt {
    /// The station's id in the queue.
    var id: Int
    /// Whether the listener had paused it.
    var isPaused: Bool
  }

  /// When it is tried; never where nothing is planned.
  private(set) var due = MonotonicTime.never
  private var attempt: Attempt?
  /// `RadioDesk.stopCount` when it was planned.
  private var stopCount = 0

  /// Plans a try at a moment, unless `stopCount` changes before.
  mutating func plan(_ attempt: Attempt, at moment: MonotonicTime, stopCount: Int) {
    (due, self.attempt, self.stopCount) = (moment, attempt, stopCount)
  }

  /// Tries it no later than at a moment; false where that changes nothing.
  mutating func hurry(to moment: MonotonicTime) -> Bool {
    guard due != .never, moment < due else { return false }
    due = moment
    return true
  }

  /// Plans nothing any more.
  mutating func cancel() { (due, attempt) = (.never, nil) }

  /// Cancels it where somebody wanted silence since it was planned; whether there was something to cancel.
  mutating func cancel(after stopCount: Int) -> Bool {
    guard due != .never, stopCount != self.stopCount else { return false }
    cancel()
    return true
  }

  /// The try that is due; nil where none is.
  mutating func take(at now: MonotonicTime) -> Attempt? {
    guard now >= due else { return nil }
    defer { cancel() }
    return attempt
  }
}
