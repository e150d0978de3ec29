import Network
import Units

/// Limits the log to one line per fault and one for its end: a station may be retried thousands of times in a night.
struct FaultJournal {
  private var loggedCauses: Set<PlaybackFault.Cause> = []
  private var since = MonotonicTime.zero

  /// Records a fault. Returns a line if the log does not have it yet.
  mutating func recordFault(_ fault: PlaybackFault, of station: String, at now: MonotonicTime) -> String? {
    if loggedCauses.isEmpty { since = now }
    guard loggedCauses.insert(fault.cause).inserted else { return nil }
    return "\(station): \(fault.sentence)"
  }

  mutating func recordRecovery(_ station: String, at now: MonotonicTime) -> String? {
    defer { clear() }
    return loggedCauses.isEmpty ? nil : "\(station) is back after \(Int((now - since).seconds.rounded(.up))) s."
  }

  mutating func clear() { loggedCauses = [] }
}
