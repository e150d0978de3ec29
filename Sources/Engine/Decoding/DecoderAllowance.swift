import Units

/// Limits the creation of decoders with a set-up: a few at once, then one per 250 ms of time or sound.
///
/// Creation is expensive, and packets of two bytes may each use another set-up. Sound counts, because a fast sink plays
/// a chain of links in less time.
struct DecoderAllowance {
  /// The maximum at once, for a listener who skips through a chain of short links.
  static let most = 16
  static let each = Duration(milliseconds: 250)

  private var left = Duration(seconds: each.seconds * Double(most))
  private var last: MonotonicTime?

  mutating func pass(to now: MonotonicTime) {
    if let last { earn(now - last) }
    last = now
  }

  /// Adds the duration of a decoded packet.
  mutating func hear(_ duration: StreamTime) { earn(Duration(seconds: duration.seconds)) }

  private mutating func earn(_ time: Duration) {
    left = min(Duration(seconds: Self.each.seconds * Double(Self.most)), left + max(.zero, time))
  }

  /// Returns true and counts a decoder if another may be created.
  mutating func take() -> Bool {
    guard left >= Self.each else { return false }
    left = left - Self.each
    return true
  }
}
