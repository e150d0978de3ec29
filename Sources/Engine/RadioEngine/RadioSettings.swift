import Decoding
import Glibc
import Network
import Rendering
import Units

/// How a radio holds and plays, whatever it is tuned to.
public struct RadioSettings: Sendable {
  /// When a programme begins to sound.
  public typealias StartPolicy = HoldRule.StartPolicy
  /// Which library decodes MP3.
  public typealias Mp3Decoder = Decoding.Mp3Decoder

  /// Blocks of 5,120 bytes; 16 or more.
  public var blockCount = Defaults.blockCount
  /// What is held before sound begins, and how far a download runs ahead of it.
  public var hold = HoldRule()
  /// What is left held when a listener goes back to live; zero: `waitLive`.
  public var liveSafety = StreamTime.zero
  /// So long paused, and the connection of a live station is closed; zero: when all blocks are full.
  public var pauseTimeout = Duration(seconds: Defaults.pauseTimeout)
  /// Whether the sound of live stations is made a little longer or shorter, so that what is held stays; nil: on a card.
  public var steers: Bool?
  /// Loudness, 0 dB being as sent; -60 … +12.
  public var gainDecibels = 0.0
  /// Whether 16-bit sinks get noise against rounding (TPDF); without it PCM is bit-exact.
  public var hasDither = false
  /// Whether both channels are mixed into one, for a single speaker.
  public var isMono = false
  /// Which library decodes MP3.
  public var mp3Decoder = Mp3Decoder.mad
  /// Where and how it records.
  public var recording = RecordingSettings()
  /// Play no more than this of each programme.
  public var duration: StreamTime?

  /// What sees the sound before it is heard, in its order; eight at most.
  public var taps: [Tap] = []

  /// The usual.
  public init() {}

  /// What of them holds for each programme.
  var rules: Transport.Rules {
    Transport.Rules(safety: liveSafety > .zero ? liveSafety : waitLive, hold: hold, pauseTimeout: pauseTimeout)
  }
}

// The parts of `hold`, by themselves.
extension RadioSettings {
  /// What is held of a live station, in the end.
  public var waitLive: StreamTime {
    get { hold.waitLive }
    set { hold.waitLive = newValue }
  }

  /// What is held of a file before it sounds.
  public var waitFile: StreamTime {
    get { hold.waitFile }
    set { hold.waitFile = newValue }
  }

  /// What of a file comes at full speed at least.
  public var throttleBypass: StreamTime {
    get { hold.throttleBypass }
    set { hold.throttleBypass = newValue }
  }

  /// When a live station begins to sound.
  public var startPolicy: StartPolicy {
    get { hold.policy }
    set { hold.policy = newValue }
  }
}

/// `base` to the power of `exponent` (pow(3)).
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
