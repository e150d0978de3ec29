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
    return "\(station): \(fault.sentence)" + (Self.setting(fault).map { " It is \($0)." } ?? "")
  }

  /// The setting that remedies a fault; nil without a setting.
  private static func setting(_ fault: PlaybackFault) -> String? {
    switch (fault.detail, fault.status) {
    case (.fewBlocks, _): "[buffer] blocks in bakelite.toml"
    case (.refused(hasCredentials: false), 401), (.refused(hasCredentials: false), 407): "user in stations.toml"
    default: nil
    }
  }

  mutating func recordRecovery(_ station: String, at now: MonotonicTime) -> String? {
    defer { clear() }
    return loggedCauses.isEmpty ? nil : "\(station) is back after \(Int((now - since).seconds.rounded(.up))) s."
  }

  mutating func clear() { loggedCauses = [] }
}
