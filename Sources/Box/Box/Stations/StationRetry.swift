import PanelWords
import Units

/// The retry of a station that the radio gave up (R4.3). Pure: the caller passes the time.
struct StationRetry: Equatable {
  struct Attempt: Equatable {
    var id: Int
    var isPaused: Bool
  }

  /// Time of the retry; `never` if none is planned.
  private(set) var due = MonotonicTime.never
  private(set) var attempt: Attempt?
  private var networkChanges: UInt32 = 0

  private static let interval = Duration(milliseconds: 60_000)
  /// Delay after a network change, because link, address, route and name server change one after the other.
  private static let networkPause = Duration(milliseconds: 1_000)

  /// Plans a retry. `attempt`: nil to cancel.
  mutating func giveUp(_ attempt: Attempt?, at now: MonotonicTime) {
    guard let attempt else { return cancel() }
    (due, self.attempt) = (now + Self.interval, attempt)
  }

  mutating func cancel() { (due, attempt) = (.never, nil) }

  /// Makes a planned retry due now, because a certificate may be valid after the clock was set.
  mutating func retryNow(at now: MonotonicTime) { if due != .never { due = now } }

  mutating func update(networkChanges changes: UInt32, at now: MonotonicTime) {
    guard changes != networkChanges else { return }
    networkChanges = changes
    if due != .never { due = min(due, now + Self.networkPause) }
  }

  /// Cancels the retry if the owner wants silence. Returns true if a retry was cancelled.
  mutating func update(_ intent: PlaybackIntent) -> Bool {
    guard due != .never, !intent.allowsRetry else { return false }
    cancel()
    return true
  }

  mutating func removeDue(at now: MonotonicTime) -> Attempt? {
    guard due != .never, now >= due else { return nil }
    defer { cancel() }
    return attempt
  }
}
