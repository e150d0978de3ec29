import Units

/// How many packets are read, and looks at encrypted bytes are taken: so many at once, and as many again in each tenth
/// of a second. A broker that sends more fills its own buffers. A value that is told the time.
struct ReadBudget {
  static let most = 50
  private static let period = Duration(milliseconds: 100)

  private var left = most
  private var next = MonotonicTime.zero

  /// When packets are read again; nil where they are now.
  func pause(at now: MonotonicTime) -> MonotonicTime? { left > 0 || now >= next ? nil : next }

  /// How many may be read now.
  mutating func room(at now: MonotonicTime) -> Int {
    if now >= next { (left, next) = (min(Self.most, left + Self.most), now + Self.period) }
    return max(0, left)
  }

  /// So many were read now, which may be more than there was room for.
  mutating func spend(_ count: Int, at now: MonotonicTime) {
    _ = room(at: now)
    left -= count
  }
}
