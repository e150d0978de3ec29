import Rendering
import Units

/// How a radio holds and plays, whatever it is tuned to.
public struct RadioSettings: Sendable {
  /// When a programme begins to sound.
  public enum StartPolicy: String, Sendable, CaseIterable {
    /// A live station as soon as one second is held.
    case adaptive
    /// Not before the wait time is held.
    case fixed
  }

  /// Blocks of 5,120 bytes; 16 or more.
  public var blockCount = 1_200
  /// What is held of a live station, in the end.
  public var waitLive = StreamTime(seconds: 10)
  /// What is held of a file before it sounds.
  public var waitFile = StreamTime(seconds: 3)
  /// What is left held when a listener goes back to live; zero: `waitLive`.
  public var liveSafety = StreamTime.zero
  /// So long paused, and the connection of a live station is closed; zero: when all blocks are full.
  public var pauseTimeout = MonotonicTime(milliseconds: 300_000)
  /// When a programme begins to sound.
  public var startPolicy = StartPolicy.adaptive
  /// Whether the sound of live stations is made a little longer or shorter, so that what is held stays; nil: on a card.
  public var steers: Bool?
  /// Loudness, 0 dB being as sent; -60 … +12.
  public var gainDecibels = 0.0
  /// Whether 16-bit sinks get noise against rounding (TPDF); without it PCM is bit-exact.
  public var hasDither = false
  /// Whether both channels are mixed into one, for a single speaker.
  public var isMono = false
  /// Where and how it records.
  public var recording = RecordingSettings()
  /// Play no more than this of each programme.
  public var duration: StreamTime?

  /// What sees the sound before it is heard, in its order; eight at most.
  public var taps: [Tap] = []

  /// The usual.
  public init() {}

  /// What a live station starts with.
  var startLive: StreamTime { startPolicy == .fixed ? waitLive : min(waitLive, StreamTime(seconds: 1)) }

  /// What is left held at "live".
  var safety: StreamTime { liveSafety > .zero ? liveSafety : waitLive }

  /// What is gathered after starving on a living connection.
  var refill: StreamTime { min(waitLive, StreamTime(seconds: 7)) }

  /// The gain as a factor, 1.0 being 1 << 24.
  var gain: Int32 { Int32(power(10, gainDecibels / 20) * Double(1 << 24)) }
}
