import Blocks
import Decoding
import Glibc
import Network
import Recordings
import Rendering
import Units

/// The settings of a radio, independent of the station.
public struct RadioSettings: Sendable {
  /// The rule for the start of playback.
  public typealias StartPolicy = HoldRule.StartPolicy
  /// The library that decodes MP3.
  public typealias Mp3Decoder = Decoding.Mp3Decoder

  /// Number of blocks of 5,120 bytes; at least 16.
  public var blockCount = Defaults.blockCount
  /// Maximum number of stations that `Radio.prefetch` receives in advance; 0 disables this. Each
  /// station, and the station before the current station, borrows up to an eighth of the blocks, at most 96.
  public var prefetchCount = 0
  /// True to reserve memory for `PrefetchRule.firstChoice`, which borrows up to an eighth of the blocks too.
  public var receivesFirstChoice = false
  /// The rule for a second connection to a live station, which borrows up to an eighth of the blocks; nil to reserve no
  /// memory for one. Without effect if `blockCount` is below 192.
  public var secondSource: SecondSourceRule?
  /// The rules for the prebuffer and for the lead of downloads.
  public var hold = HoldRule()
  /// Buffer that stays after a return to live; zero for `waitLive`.
  public var liveSafety = StreamTime.zero
  /// Maximum pause before the connection of a live station is closed; zero to close it when all blocks are full.
  public var pauseTimeout = Duration(seconds: Defaults.pauseTimeout)
  /// True to stretch or shorten live audio slightly, so that the buffer stays constant; nil to do so only on a sound
  /// card.
  public var steers: Bool?
  /// Gain in dB; 0 dB as sent; -60 … +12.
  public var gainDecibels = 0.0
  /// True to lower announced ads by 12 dB (`Event.adBreak`).
  public var lowersAds = false
  /// True to add dither (TPDF) for 16-bit sinks; otherwise PCM is bit-exact.
  public var hasDither = false
  /// True to mix both channels into one, for a single speaker.
  public var isMono = false
  /// The library that decodes MP3.
  public var mp3Decoder = Mp3Decoder.mad
  /// The settings for recordings.
  public var recording = RecordingSettings()
  /// Maximum duration of each programme.
  public var duration: StreamTime?

  /// Taps on the audio before it is played, in order; at most eight.
  public var taps: [Tap] = []

  /// Creates the default settings.
  public init() {}

  /// Number of 64-bit words for the search for repeated audio.
  var loopWordCount: Int { receivesFirstChoice ? (LoopMeter.byteCount + 7) / 8 : 0 }

  /// Rings for stations on standby: those received in advance, and the station before the current one.
  var standbyCount: Int { (prefetchCount > 0 ? prefetchCount + 1 : 0) + (receivesFirstChoice ? 1 : 0) }

  /// The memory that a radio with these settings maps and locks at its start.
  public var memoryBudget: MemoryBudget {
    MemoryBudget(
      blockCount: blockCount, standbyCount: standbyCount + (secondSource == nil ? 0 : 1), loopWordCount: loopWordCount)
  }

  var rules: TransportRules {
    TransportRules(safety: liveSafety > .zero ? liveSafety : waitLive, hold: hold, pauseTimeout: pauseTimeout)
  }
}

extension RadioSettings {
  /// Buffer of a live station.
  public var waitLive: StreamTime {
    get { hold.waitLive }
    set { hold.waitLive = newValue }
  }

  /// Prebuffer of a file.
  public var waitFile: StreamTime {
    get { hold.waitFile }
    set { hold.waitFile = newValue }
  }

  /// Minimum part of a file that is downloaded at full speed.
  public var throttleBypass: StreamTime {
    get { hold.throttleBypass }
    set { hold.throttleBypass = newValue }
  }

  /// The rule for the start of a live station.
  public var startPolicy: StartPolicy {
    get { hold.policy }
    set { hold.policy = newValue }
  }
}

/// `base` to the power of `exponent` (pow(3)).
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
