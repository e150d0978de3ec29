import Rendering
import Units

/// A forced PCM format of a sink, such as `s16le/44100/2`.
public struct PcmFormat: Equatable, Sendable, CustomStringConvertible {
  /// The sample format.
  public let samples: SampleFormat
  /// Frames per second.
  public let rate: SampleRate
  /// Channels, 1 or 2.
  public let channels: Int

  /// Creates a format.
  public init(samples: SampleFormat, rate: SampleRate, channels: Int) {
    precondition(channels == 1 || channels == 2, "a sink has one channel or two")
    self.samples = samples
    self.rate = rate
    self.channels = channels
  }

  /// Parses a text such as `s16le/44100/2`; nil if it is invalid.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let samples = Self.names.first(where: { $0.0 == parts[0] })?.1,
      let hertz = Int(parts[1]), (4_000...192_000).contains(hertz), let rate = SampleRate(checking: hertz),
      parts[2] == "1" || parts[2] == "2"
    else { return nil }
    self.init(samples: samples, rate: rate, channels: parts[2] == "1" ? 1 : 2)
  }

  private static let names: [(String, SampleFormat)] = [("s16le", .s16le), ("s24le", .s24le), ("s32le", .s32le)]

  /// The text that `init` accepts.
  public var description: String {
    let name = Self.names.first { $0.1 == samples }?.0 ?? "s24le"
    return "\(name)/\(rate.hertz)/\(channels)"
  }
}

/// A request for a sink.
public struct OutputRequest: Equatable, Sendable {
  /// The kind of sink.
  public enum Kind: Equatable, Sendable {
    /// An ALSA device by name.
    case alsa(String)
    /// Raw PCM to a file, a pipe, or standard output ("-").
    case raw(String)
    /// A WAV file, or standard output ("-").
    case wav(String)
    /// A snapserver's named pipe.
    case snapcast(String)
    /// Discards all frames.
    case null
  }

  /// The pipe in Bakelite's configuration of snapserver.
  public static let snapcastPipe = "/run/bakelite-snapcast/feed"
  static let snapcastFormat = PcmFormat(samples: .s16le, rate: SampleRate(48_000), channels: 2)

  /// The kind of sink.
  public var kind: Kind
  /// The forced format; nil follows the stream. Always s16le/48000/2 for a snapserver.
  public var format: PcmFormat? {
    get { if case .snapcast = kind { Self.snapcastFormat } else { forcedFormat } }
    set { forcedFormat = newValue }
  }
  private var forcedFormat: PcmFormat?
  /// True if raw, WAV and null sinks consume in real time; cards and snapservers always do.
  public var isPaced = true
  /// The card's period in milliseconds; unused for other sinks.
  public var periodMilliseconds = Defaults.periodMilliseconds
  /// The sink's buffer in milliseconds.
  public var bufferMilliseconds = Defaults.bufferMilliseconds
  /// A snapserver's delay in milliseconds: its `buffer` setting.
  public var serverMilliseconds = Defaults.snapcastMilliseconds
  /// True if the radio waits at the start for a missing or busy card, or for a missing snapserver pipe. After a later
  /// loss, the radio waits in any case.
  public var waitsForDevice = false

  /// True for a card.
  public var isCard: Bool { if case .alsa = kind { true } else { false } }

  /// True for a sink with its own clock: a card or a snapserver.
  public var hasClock: Bool {
    switch kind {
    case .alsa, .snapcast: true
    case .raw, .wav, .null: false
    }
  }

  /// Creates a request.
  public init(_ kind: Kind) { self.kind = kind }

  package static let kinds = "alsa[:DEVICE], snapcast[:PIPE], raw:PATH, wav:PATH or null"

  /// Parses `alsa`, `alsa:DEVICE`, `raw:PATH`, `wav:PATH`, `snapcast`, `snapcast:PIPE` or `null`; nil if it is invalid.
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
