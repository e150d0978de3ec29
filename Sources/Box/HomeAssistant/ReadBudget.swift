import Units

/// Limits packets and TLS peeks: a number at once, refilled every tenth of a second. A broker that sends more fills its
/// own buffers. A value; the caller passes the time.
struct ReadBudget {
  static let maxReads = 50
  private static let period = Duration(milliseconds: 100)

  private var left = maxReads
  private var next = MonotonicTime.zero

  /// Time at which reading continues; nil if allowed now.
  func pause(at now: MonotonicTime) -> MonotonicTime? { left > 0 || now >= next ? nil : next }

  mutating func room(at now: MonotonicTime) -> Int {
    if now >= next { (left, next) = (min(Self.maxReads, left + Self.maxReads), now + Self.period) }
    return max(0, left)
  }

  mutating func spend(_ count: Int, at now: MonotonicTime) {
    _ = room(at: now)
    left -= count
  }
}
