import Units

/// The session that a master list issued: its media list or its segments may be gone before the station ends.
struct ListSession: Hashable, Sendable {
  /// Minimum time between two requests of the master list because of an ended session.
  static let minInterval = Duration(seconds: 5)

  private var lastEnd: MonotonicTime?
  private var hasEnded = false

  /// Ends the session. Returns false less than `minInterval` after the last end: the refusal then has another reason.
  mutating func end(at now: MonotonicTime) -> Bool {
    if let lastEnd, now - lastEnd < Self.minInterval { return false }
    (lastEnd, hasEnded) = (now, true)
    return true
  }

  /// Returns true once after an end.
  mutating func consumeEnd() -> Bool {
    defer { hasEnded = false }
    return hasEnded
  }

  /// Returns true if a status means that an address is gone, not that its content is late. A segment of a list that is
  /// ahead of its servers has status 404 at first. `hasFailed`: true if the same segment was refused before.
  static func isGone(_ status: Int, isList: Bool, hasFailed: Bool) -> Bool {
    switch status {
    case 403, 410: true
    case 404: isList || hasFailed
    default: false
    }
  }

  /// Returns true if a repeated request has no prospect: the address is gone, or the listener lacks a permission.
  static func isRefusal(_ status: Int) -> Bool { [401, 403, 404, 410, 451].contains(status) }
}
