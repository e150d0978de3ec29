import Framing
import Units

/// Says whether sound goes as it should: it does not once it should be, and is not, for 5 s.
struct HealthWatch {
  private var condition = HealthCondition(nil)
  /// Since when it is bad; nil: it is good.
  private var badSince: MonotonicTime?
  private var seen: MonotonicTime

  static let patience = Duration(milliseconds: 5_000)
  /// Whoever looks, looks at least this often while sound should be.
  private static let interval = Duration(milliseconds: 1_000)

  /// Nothing is known yet.
  init(at now: MonotonicTime) { (seen, badSince) = (now, now) }

  /// Notes how the radio is.
  mutating func note(_ condition: HealthCondition, at now: MonotonicTime) {
    // It was good when it was looked at last, and went bad at some time since.
    let earliest = max(seen, now - Self.interval)
    (self.condition, seen) = (condition, now)
    if case .good = condition { badSince = nil } else { badSince = badSince ?? earliest }
  }

  /// The word for what the radio does.
  var state: String { condition.state }

  /// Why sound is not as it should be; nil where it is, or is not for less than 5 s. The owner is told what the radio
  /// itself says of it.
  func reason(at now: MonotonicTime, isOwner: Bool = false) -> String? {
    guard case .bad(_, let reason, let told) = condition, let badSince, now - badSince >= Self.patience else {
      return nil
    }
    return isOwner ? told ?? reason : reason
  }

  /// What a monitor is told, or the owner.
  func json(at now: MonotonicTime, isOwner: Bool = false) -> JsonLine {
    var line = JsonLine()
    line.add("state", state)
    if let reason = reason(at: now, isOwner: isOwner) { line.add("reason", reason) }
    return line
  }
}
