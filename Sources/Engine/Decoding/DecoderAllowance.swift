import Units

/// How many decoders with a set-up may be made: some at once, and then one for each quarter of a second that passes or
/// is heard.
///
/// Such a decoder takes long to be made, and packets of two bytes can name another set-up each. What is heard counts
/// too, since a sink that takes sound as fast as it comes goes through the links of a chain in no time.
struct DecoderAllowance {
  /// So many at once: a listener may go through a chain of short links.
  static let most = 16
  /// For so long there is one more.
  static let each = Duration(milliseconds: 250)

  private var left = Duration(seconds: each.seconds * Double(most))
  private var last: MonotonicTime?

  /// Notes what time it is.
  mutating func pass(to now: MonotonicTime) {
    if let last { earn(now - last) }
    last = now
  }

  /// Notes that a packet was decoded which sounds so long.
  mutating func hear(_ duration: StreamTime) { earn(Duration(seconds: duration.seconds)) }

  private mutating func earn(_ time: Duration) {
    left = min(Duration(seconds: Self.each.seconds * Double(Self.most)), left + max(.zero, time))
  }

  /// Whether a decoder may be made; it is one less then.
  mutating func take() -> Bool {
    guard left >= Self.each else { return false }
    left = left - Self.each
    return true
  }
}
