import Rendering
import Units

/// The PCM that a sink is forced to: such as `s16le/44100/2`.
public struct PcmFormat: Equatable, Sendable, CustomStringConvertible {
  /// How samples are written.
  public let samples: SampleFormat
  /// Frames per second.
  public let rate: SampleRate
  /// 1 or 2.
  public let channels: Int

  /// A format of its three parts.
  public init(samples: SampleFormat, rate: SampleRate, channels: Int) {
    precondition(channels == 1 || channels == 2, "a sink has one channel or two")
    self.samples = samples
    self.rate = rate
    self.channels = channels
  }

  /// Reads `s16le/44100/2` and its like; nil where it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let samples = Self.names.first(where: { $0.0 == parts[0] })?.1,
      let hertz = Int(parts[1]), (4_000...192_000).contains(hertz), let rate = SampleRate(checking: hertz),
      parts[2] == "1" || parts[2] == "2"
    else { return nil }
    self.init(samples: samples, rate: rate, channels: parts[2] == "1" ? 1 : 2)
  }

  private static let names: [(String, SampleFormat)] = [("s16le", .s16le), ("s24le", .s24le), ("s32le", .s32le)]

  /// As it is written.
  public var description: String {
    let name = Self.names.first { $0.1 == samples }?.0 ?? "s24le"
    return "\(name)/\(rate.hertz)/\(channels)"
  }
}

/// Where sound shall go, and how.
public struct OutputRequest: Equatable, Sendable {
  /// The kind of sink.
  public enum Kind: Equatable, Sendable {
    /// An ALSA device by name.
    case alsa(String)
    /// Bare PCM to a file, a pipe or "-".
    case raw(String)
    /// A WAV file, or "-".
    case wav(String)
    /// The named pipe that a snapserver reads.
    case snapcast(String)
    /// Nowhere.
    case null
  }

  /// The pipe that Bakelite's configuration of snapserver reads.
  public static let snapcastPipe = "/run/bakelite-snapcast/feed"
  /// What a snapserver plays.
  static let snapcastFormat = PcmFormat(samples: .s16le, rate: SampleRate(48_000), channels: 2)

  /// The kind of sink.
  public var kind: Kind
  /// The forced PCM format; nil: the stream's own. A snapserver has one of its own.
  public var format: PcmFormat? {
    get { if case .snapcast = kind { Self.snapcastFormat } else { forcedFormat } }
    set { forcedFormat = newValue }
  }
  private var forcedFormat: PcmFormat?
  /// Whether raw, WAV and null take sound in real time; a card always does.
  public var isPaced = true
  /// Frames that are written at once, in milliseconds.
  public var periodMilliseconds = Defaults.periodMilliseconds
  /// What the card holds, in milliseconds.
  public var bufferMilliseconds = Defaults.bufferMilliseconds
  /// How long after it took a frame a snapserver has it played, in milliseconds: its `buffer`.
  public var serverMilliseconds = Defaults.snapcastMilliseconds
  /// Whether a card that is not there at the start, or in use, is waited for, as one is that goes away later.
  public var waitsForDevice = false

  /// Whether it is a card.
  public var isCard: Bool { if case .alsa = kind { true } else { false } }

  /// Whether it has a clock of its own: a card, and a snapserver.
  public var hasClock: Bool {
    switch kind {
    case .alsa, .snapcast: true
    case .raw, .wav, .null: false
    }
  }

  /// Sound to a kind of sink.
  public init(_ kind: Kind) { self.kind = kind }

  /// The kinds, as help and errors list them.
  package static let kinds = "alsa[:DEVICE], snapcast[:PIPE], raw:PATH, wav:PATH or null"

  /// Reads `alsa`, `alsa:DEVICE`, `raw:PATH`, `wav:PATH`, `snapcast`, `snapcast:PIPE` or `null`; nil where it is none.
  public init?(_ text: String) {
    let name = text.prefix { $0 != ":" }
    let rest = String(text.dropFirst(name.count + 1))
    switch name {
    case "alsa": kind = .alsa(rest.isEmpty ? "default" : rest)
    case "raw" where !rest.isEmpty: kind = .raw(rest)
    case "wav" where !rest.isEmpty: kind = .wav(rest)
    case "snapcast" where text == "snapcast": kind = .snapcast(Self.snapcastPipe)
    case "snapcast" where !rest.isEmpty && rest != "-": kind = .snapcast(rest)
    case "null" where !text.contains(":"): kind = .null
    default: return nil
    }
  }
}
