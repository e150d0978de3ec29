/// How the queue goes on, in MPD's words.
public struct PlayOptions: Equatable, Sendable {
  /// What follows the end of a file.
  public enum Single: String, Sendable {
    /// The next one.
    case off = "0"
    /// Nothing; with `repeats` the same again.
    case on = "1"
    /// Nothing, this once.
    case oneshot
  }

  /// After the last comes the first.
  public var repeats = false
  /// The order is left to chance.
  var isRandom = false
  /// What follows the end of a file.
  public var single = Single.off
  /// What was played leaves the queue.
  var consumes = false
  /// Kept for clients that set them, and of no effect: there is nothing to mix a station with.
  var crossfade = 0
  /// As above; dB.
  var mixRampDecibels = 0.0
  /// As above; seconds, nil being none.
  var mixRampDelay: Double?
  /// As above: off, track, album or auto.
  var replayGain = "off"

  /// The usual.
  public init() {}
}
