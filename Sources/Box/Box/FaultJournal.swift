import Network
import Units

/// Which faults of a station the log has told, so that it tells each once, and their end; a station that is away for
/// a night is tried thousands of times.
struct FaultJournal {
  private var told: Set<PlaybackFault.Cause> = []
  private var since = MonotonicTime.zero

  /// Notes that a station does not come: a line where that was not told yet.
  mutating func begins(_ fault: PlaybackFault, of station: String, at now: MonotonicTime) -> String? {
    if told.isEmpty { since = now }
    guard told.insert(fault.cause).inserted else { return nil }
    return "\(station): \(fault.sentence)"
  }

  /// Notes that it comes: a line where a fault was told.
  mutating func ends(_ station: String, at now: MonotonicTime) -> String? {
    defer { forget() }
    return told.isEmpty ? nil : "\(station) is back after \(Int((now - since).seconds.rounded(.up))) s."
  }

  /// Another station, or none.
  mutating func forget() { told = [] }
}
