import Framing
import Units

/// Reports bad health after audio has been missing for 5 s.
struct HealthWatch {
  private(set) var condition = HealthCondition(nil)
  private var badSince: MonotonicTime?
  private var seen: MonotonicTime

  static let patience = Duration(milliseconds: 5_000)
  /// Maximum interval of checks while audio is expected.
  private static let interval = Duration(milliseconds: 1_000)

  init(at now: MonotonicTime) { (seen, badSince) = (now, now) }

  mutating func update(_ condition: HealthCondition, at now: MonotonicTime) {
    // The exact time of the change is unknown: assume the earliest time since the last check.
    let earliest = max(seen, now - Self.interval)
    (self.condition, seen) = (condition, now)
    if case .good = condition { badSince = nil } else { badSince = badSince ?? earliest }
  }

  /// Returns the reason for bad health; nil if good, or bad for less than 5 s. The owner receives the radio's own
  /// message.
  func reason(at now: MonotonicTime, isOwner: Bool = false) -> String? {
    guard case .bad(_, let reason, let told) = condition, let badSince, now - badSince >= Self.patience else {
      return nil
    }
    return isOwner ? told ?? reason : reason
  }

  func json(at now: MonotonicTime, isOwner: Bool = false) -> JsonLine {
    var line: JsonLine = ["state": condition.state]
    if let reason = reason(at: now, isOwner: isOwner) { line.add("reason", reason) }
    return line
  }
}
