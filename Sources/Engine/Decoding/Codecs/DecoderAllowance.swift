import Units

/// Limits the creation of decoders with a set-up: 16 at once, then one per 250 ms of time or decoded sound.
/// Creation is expensive, and packets of two bytes may each use another set-up. Decoded sound counts like time, because
/// a fast sink plays a chain of short streams in almost no time.
struct DecoderAllowance {
  /// The maximum at once, for a listener who skips through a chain of short streams.
  static let maxAtOnce = 16
  static let each = Duration(milliseconds: 250)

  private var left = Duration(seconds: each.seconds * Double(maxAtOnce))
  private var last: MonotonicTime?

  mutating func pass(to now: MonotonicTime) {
    if let last { earn(now - last) }
    last = now
  }

  mutating func addTime(_ duration: StreamTime) { earn(Duration(seconds: duration.seconds)) }

  private mutating func earn(_ time: Duration) {
    left = min(Duration(seconds: Self.each.seconds * Double(Self.maxAtOnce)), left + max(.zero, time))
  }

  /// Returns true if another decoder may be created, and counts that decoder.
  mutating func consume() -> Bool {
    guard left >= Self.each else { return false }
    left = left - Self.each
    return true
  }
}
