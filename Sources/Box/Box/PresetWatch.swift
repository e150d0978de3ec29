import Network
import Settings
import Units

/// Which presets sound and which fail, as far as that counts (G5): a blip of sound is no success, and a failure counts
/// only while this box's own network is well. A value that is told the time.
struct PresetWatch: Equatable {
  /// What happens.
  enum Input: Equatable {
    /// Another station is asked for: the address of a preset, or nil where it is none.
    case tuned(StationAddress?)
    /// It sounds.
    case sounds
    /// It does not sound any more, or not yet.
    case silent
    /// It cannot be had.
    case failed(PlaybackFault.Cause)
    /// The internet was reached by other means.
    case reached

    /// Whether a station cannot be had.
    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  /// What counts.
  enum Outcome: Equatable {
    case succeeded(StationAddress)
    case failed(StationAddress, PresetRecord.Cause)
  }

  private struct Failure: Equatable {
    var url: StationAddress
    var cause: PresetRecord.Cause
    var moment: MonotonicTime
  }

  private enum Phase: Equatable {
    case silent
    case sounding(since: MonotonicTime)
    /// It sounded for long enough.
    case steady
  }

  private var phase = Phase.silent
  /// The preset that is tuned to; nil where what is tuned to is none.
  private var url: StationAddress?
  /// When the internet was last known to be reached; nil: never.
  private var reached: MonotonicTime?
  /// Failures that may be this box's own network's.
  private var doubtful: [Failure] = []

  /// A station that sounds for so long is there.
  static let steadiness = Duration(milliseconds: 15_000)
  /// The network counts as well for so long before and after it was seen to be.
  static let wellness = Duration(milliseconds: 3_600_000)
  static let mostDoubtful = 20

  /// When it has something to tell though nothing happens.
  var due: MonotonicTime {
    if case .sounding(let since) = phase { since + Self.steadiness } else { .never }
  }

  /// Takes what happens; gives what counts.
  mutating func take(_ input: Input, at now: MonotonicTime) -> [Outcome] {
    let late = advance(at: now)
    switch input {
    case .tuned(let url): if url != self.url { (self.url, phase) = (url, .silent) }
    case .sounds: if phase == .silent { phase = .sounding(since: now) }
    case .silent: phase = .silent
    case .failed(let cause):
      phase = .silent
      return late + fail(cause, at: now)
    case .reached: return late + reach(at: now)
    }
    return late
  }

  /// Lets time pass.
  mutating func advance(at now: MonotonicTime) -> [Outcome] {
    switch phase {
    case .silent: return []
    case .sounding(let since):
      guard now - since >= Self.steadiness else { return [] }
      phase = .steady
      if let url { doubtful.removeAll { $0.url == url } }
      return reach(at: now) + (url.map { [.succeeded($0)] } ?? [])
    case .steady:
      reached = now
      return []
    }
  }

  /// The failures of the last hour were the stations'.
  private mutating func reach(at now: MonotonicTime) -> [Outcome] {
    reached = now
    defer { doubtful = [] }
    return doubtful.filter { now - $0.moment < Self.wellness }.map { .failed($0.url, $0.cause) }
  }

  private mutating func fail(_ fault: PlaybackFault.Cause, at now: MonotonicTime) -> [Outcome] {
    guard let url, let cause = PresetRecord.Cause(fault) else { return [] }
    if cause.isAnswer || reached.map({ now - $0 < Self.wellness }) == true { return [.failed(url, cause)] }
    doubtful.removeAll { $0.url == url }
    doubtful = doubtful.suffix(Self.mostDoubtful - 1) + [Failure(url: url, cause: cause, moment: now)]
    return []
  }
}

extension PresetRecord.Cause {
  /// What a fault says of a station; nil where it says nothing of it: this box's network, its clock, its settings or
  /// Bakelite itself is at fault.
  init?(_ cause: PlaybackFault.Cause) {
    switch cause {
    case .notFound: self = .gone
    case .passwordNeeded, .forbidden: self = .refused
    case .serverError: self = .broken
    // A name that leads into a network of the owner's leads to no station; one that no server can look up may be gone.
    case .noSuchHost, .badAddress, .noNameServer: self = .noHost
    case .connectionRefused, .noAnswer, .silence, .disconnected, .slowPlaylist: self = .silent
    case .badCertificate, .noSecureConnection: self = .insecure
    case .badPlaylist, .badAnswer, .notAudio, .webPage, .encryptedHls, .xheAac, .dolby, .alac, .otherCodec, .dash,
      .mp4, .windowsMedia, .wav, .aiff, .webm, .musepack, .dsd:
      self = .noStation
    case .noNetwork, .proxyFailed, .fewBlocks, .certificateNotYetValid, .unknownScheme, .fileChanged,
      .fileUnreadable, .internalFault:
      return nil
    }
  }
}
