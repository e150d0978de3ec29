import Network
import Units

/// Limits the log to one line per fault and one for its end: a station may be retried thousands of times in a night.
struct FaultJournal {
  private var told: Set<PlaybackFault.Cause> = []
  private var since = MonotonicTime.zero

  /// Records a fault. Returns a line if the log does not have it yet.
  mutating func begins(_ fault: PlaybackFault, of station: String, at now: MonotonicTime) -> String? {
    if told.isEmpty { since = now }
    guard told.insert(fault.cause).inserted else { return nil }
    return "\(station): \(fault.sentence)"
  }

  mutating func ends(_ station: String, at now: MonotonicTime) -> String? {
    defer { forget() }
    return told.isEmpty ? nil : "\(station) is back after \(Int((now - since).seconds.rounded(.up))) s."
  }

  mutating func forget() { told = [] }
}
