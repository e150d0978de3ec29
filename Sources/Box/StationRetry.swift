import Units

/// When a station that was given up is tried again (R4.3). A value that is told the time.
struct StationRetry: Equatable {
  /// The moment; `never` where nothing is to be tried.
  private(set) var due = MonotonicTime.never
  /// The changes of the network that were seen (`Radio.networkChanges`).
  private var networkChanges: UInt32 = 0

  /// A station that was given up is tried again so often.
  private static let interval = MonotonicTime(milliseconds: 60_000)
  /// What comes with a network comes one thing after the other.
  private static let networkPause = MonotonicTime(milliseconds: 1_000)

  /// The station was given up.
  mutating func giveUp(at now: MonotonicTime) { due = now + Self.interval }

  /// Another station, or none, is wanted.
  mutating func forget() { due = .never }

  /// The clock was set: a certificate may be valid now.
  mutating func clockWasSet(at now: MonotonicTime) { if due != .never { due = now } }

  /// The radio has seen so many changes of the network: one that is new may lead to the station.
  mutating func see(networkChanges changes: UInt32, at now: MonotonicTime) {
    guard changes != networkChanges else { return }
    networkChanges = changes
    if due != .never { due = min(due, now + Self.networkPause) }
  }

  /// Whether the station is to be tried now; once.
  mutating func take(at now: MonotonicTime) -> Bool {
    guard due != .never, now >= due else { return false }
    due = .never
    return true
  }
}
