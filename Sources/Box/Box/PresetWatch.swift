import Network
import Settings
import Units

/// Decides which successes and failures of presets count (G5). Pure: the caller passes the time.
///
/// A failure that this box's own network may cause counts only if the internet was reached up to `wellness` before or
/// after.
struct PresetWatch: Equatable {
  enum Input: Equatable {
    /// Another station is tuned; nil if it is not a preset.
    case tuned(StationAddress?)
    case sounds
    case silent
    case failed(PlaybackFault.Cause)
    case reached

    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

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
    case steady
  }

  private var phase = Phase.silent
  /// Nil if the tuned station is not a preset.
  private var url: StationAddress?
  /// Time of the last proof of internet access; nil if never.
  private var reached: MonotonicTime?
  private var doubtful: [Failure] = []

  /// Minimum duration of audio for a success.
  static let steadiness = Duration(milliseconds: 15_000)
  /// The network counts as working for this long before and after a proof of internet access.
  static let wellness = Duration(milliseconds: 3_600_000)
  static let mostDoubtful = 20

  var due: MonotonicTime {
    if case .sounding(let since) = phase { since + Self.steadiness } else { .never }
  }

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

  /// Returns the failures of the last hour: internet access proves that the stations failed.
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
  /// Nil if the fault is in this box: network, clock, settings or Bakelite itself.
  init?(_ cause: PlaybackFault.Cause) {
    switch cause {
    case .notFound: self = .gone
    case .passwordNeeded, .forbidden: self = .refused
    case .serverError: self = .broken
    // A name in the owner's own network leads to no station. A name that no server can resolve may be gone.
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
