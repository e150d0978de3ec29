/// The playback options of the queue, as in MPD.
public struct PlayOptions: Equatable, Sendable {
  /// The behaviour at the end of a file.
  public enum Single: String, Sendable {
    /// The next file follows.
    case off = "0"
    /// Playback stops; with `repeats` the file starts again.
    case on = "1"
    /// Playback stops, this time only.
    case oneshot
  }

  /// True if the first station follows the last.
  public var repeats = false
  var isRandom = false
  /// The behaviour at the end of a file.
  public var single = Single.off
  var consumes = false
  /// Stored for clients, without effect: stations cannot be mixed.
  var crossfade = 0
  /// Stored only; dB.
  var mixRampDecibels = 0.0
  /// Stored only; seconds, nil: off.
  var mixRampDelay: Double?
  /// Stored only: off, track, album or auto.
  var replayGain = "off"

  /// Creates MPD's defaults.
  public init() {}
}
