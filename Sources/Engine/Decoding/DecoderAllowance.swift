import Units

/// How many decoders with a set-up may be made: some at once, and then one for so much sound.
///
/// A set-up of Vorbis that has some hundred bytes takes tens of milliseconds of a small processor, and packets of two
/// bytes can name another set-up each.
struct DecoderAllowance {
  /// So many at once: a listener may go through a chain of short links.
  static let most = 16
  /// Sound for which there is one more.
  static let sound = StreamTime(seconds: 0.25)
  /// What a packet counts that is not heard: the next link may be sound again.
  static let unheard = StreamTime(seconds: 0.001)
  private static let full = StreamTime(ticks: sound.ticks * Int64(most))

  private var left = full

  /// Notes that a packet was decoded which sounds so long, or one that is not heard.
  mutating func hear(_ duration: StreamTime) { left = min(Self.full, left + duration) }

  /// Whether a decoder may be made; it is one less then.
  mutating func take() -> Bool {
    guard left >= Self.sound else { return false }
    left = left - Self.sound
    return true
  }
}
