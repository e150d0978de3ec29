import Units

/// When a station that was given up is tried again, and how (R4.3). A value that is told the time.
struct StationRetry: Equatable {
  /// One more try.
  struct Attempt: Equatable {
    /// The station's id in the queue.
    var id: Int
    /// Whether the listener had paused it.
    var isPaused: Bool
  }

  /// The moment; `never` where nothing is to be tried.
  private(set) var due = MonotonicTime.never
  private(set) var attempt: Attempt?
  /// The changes of the network that were seen (`Radio.networkChanges`).
  private var networkChanges: UInt32 = 0
  /// How often somebody wanted silence until the station was given up (`PlayerController.stopCount`).
  private var stopCount = 0

  /// A station that was given up is tried again so often.
  private static let interval = Duration(milliseconds: 60_000)
  /// What comes with a network comes one thing after the other.
  private static let networkPause = Duration(milliseconds: 1_000)

  /// The station was given up; it is tried again unless somebody wants silence before.
  mutating func giveUp(_ attempt: Attempt?, stopCount: Int, at now: MonotonicTime) {
    guard let attempt else { return forget() }
    (due, self.attempt, self.stopCount) = (now + Self.interval, attempt, stopCount)
  }

  /// Another station, or none, is wanted.
  mutating func forget() { (due, attempt) = (.never, nil) }

  /// The clock was set: a certificate may be valid now.
  mutating func clockWasSet(at now: MonotonicTime) { if due != .never { due = now } }

  /// The radio has seen so many changes of the network: one that is new may lead to the station.
  mutating func see(networkChanges changes: UInt32, at now: MonotonicTime) {
    guard changes != networkChanges else { return }
    networkChanges = changes
    if due != .never { due = min(due, now + Self.networkPause) }
  }

  /// Forgets it where somebody wanted silence since the station was given up; whether there was something to forget.
  mutating func see(stopCount: Int) -> Bool {
    guard due != .never, stopCount != self.stopCount else { return false }
    forget()
    return true
  }

  /// The try that is due; nil where none is.
  mutating func take(at now: MonotonicTime) -> Attempt? {
    guard due != .never, now >= due else { return nil }
    defer { forget() }
    return attempt
  }
}
