import Network
import Units

/// Limits the log to one line per fault and one for its end: a station that is down for a night is retried thousands of
/// times.
struct FaultJournal {
  private var told: Set<PlaybackFault.Cause> = []
  private var since = MonotonicTime.zero

  /// Records a fault of the station. Returns a line if the log does not have it yet.
  mutating func begins(_ fault: PlaybackFault, of station: String, at now: MonotonicTime) -> String? {
    if told.isEmpty { since = now }
    guard told.insert(fault.cause).inserted else { return nil }
    return "\(station): \(fault.sentence)"
  }

  /// Records that the station plays. Returns a line if a fault was logged before.
  mutating func ends(_ station: String, at now: MonotonicTime) -> String? {
    defer { forget() }
    return told.isEmpty ? nil : "\(station) is back after \(Int((now - since).seconds.rounded(.up))) s."
  }

  mutating func forget() { told = [] }
}
