/// The playback options of the queue, as in MPD.
public struct PlayOptions: Equatable, Sendable {
  /// The behaviour at the end of a file.
  public enum Single: String, Sendable {
    /// The next station or file follows.
    case off = "0"
    /// Playback stops; with `repeats` the file starts again.
    case on = "1"
    /// Playback stops once; then the option returns to `off`.
    case oneshot
  }

  /// True if the first station follows the last.
  public var repeats = false
  var isRandom = false
  /// The behaviour at the end of a file.
  public var single = Single.off
  var consumes = false
  /// Crossfade in seconds. Stored for clients, without effect, because stations cannot be mixed.
  var crossfade = 0
  /// MixRamp threshold in dB. Stored for clients, without effect.
  var mixRampDecibels = 0.0
  /// MixRamp delay in seconds; nil for off. Stored for clients, without effect.
  var mixRampDelay: Double?
  /// Replay gain: off, track, album or auto. Stored for clients, without effect.
  var replayGain = "off"

  /// Creates MPD's defaults.
  public init() {}
}
