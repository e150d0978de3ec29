import Network
import Units

/// Limits the log to one line per fault, and one line at its end. A station may fail thousands of times in a night.
struct FaultJournal {
  private var loggedCauses: Set<PlaybackFault.Cause> = []
  private var since = MonotonicTime.zero

  /// Records a fault. Returns its line; nil if the log has this line already.
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
