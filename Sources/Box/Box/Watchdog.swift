import RadioEngine
import Units

/// Whether all of the radio's threads come round: only then systemd's watchdog is fed.
struct Watchdog {
  private var last: Heartbeats?
  private var since = MonotonicTime.zero
  private var hasTold = false

  /// So long a thread may stand still.
  private static let patience = Duration(milliseconds: 10_000)

  /// Whether they do; the names of those that stand are told once.
  mutating func isAlive(_ beats: Heartbeats?, at now: MonotonicTime) -> Bool {
    guard let beats else {
      last = nil
      return true
    }
    guard let before = last, now - since >= Self.patience else {
      if last == nil { (last, since) = (beats, now) }
      return !hasTold
    }
    let standing = beats.standing(since: before)
    (last, since) = (beats, now)
    if !standing.isEmpty, !hasTold { log(.error, "The \(standing.joined(separator: " and ")) thread stands still.") }
    hasTold = !standing.isEmpty
    return standing.isEmpty
  }
}
