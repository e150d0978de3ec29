import RadioEngine
import Units

struct Watchdog {
  private var last: Heartbeats?
  private var since = MonotonicTime.zero
  private var hasLogged = false

  /// Interval of checks; a thread is blocked if it has no iteration within this time.
  private static let patience = Duration(milliseconds: 10_000)

  /// Returns true if all threads run. The log names blocked threads once.
  mutating func isAlive(_ beats: Heartbeats?, at now: MonotonicTime) -> Bool {
    guard let beats else {
      last = nil
      return true
    }
    guard let before = last, now - since >= Self.patience else {
      if last == nil { (last, since) = (beats, now) }
      return !hasLogged
    }
    let standing = beats.standing(since: before)
    (last, since) = (beats, now)
    if !standing.isEmpty, !hasLogged {
      log(.error, "The \(standing.joined(separator: " and ")) thread has stopped responding.")
    }
    hasLogged = !standing.isEmpty
    return standing.isEmpty
  }
}
