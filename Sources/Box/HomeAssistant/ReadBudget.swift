import Units

/// Limits the rate of packets and TLS peeks. Each tenth of a second restores the budget of `maxReads`. If a broker
/// sends more, its own buffers become full. A value; the caller passes the time.
struct ReadBudget {
  static let maxReads = 50
  private static let period = Duration(milliseconds: 100)

  private var left = maxReads
  private var next = MonotonicTime.zero

  /// Time from which reading is allowed again; nil if reading is allowed now.
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
