import Network
import Settings
import Units

/// Decides which successes and failures of presets count (G5). Pure: the caller passes the time. The box's own network
/// may cause some failures. Such a failure counts only if the internet was reached at most `maxProofAge` before or
/// after it.
struct PresetWatch: Equatable {
  enum Input: Equatable {
    /// Another station is tuned: a preset's address; nil for a station outside the presets.
    case tuned(StationAddress?)
    case playing
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
    var time: MonotonicTime
  }

  private enum Phase: Equatable {
    case silent
    case playing(since: MonotonicTime)
    case steady
  }

  private var phase = Phase.silent
  /// Address of the tuned preset; nil if the tuned station is not a preset.
  private var url: StationAddress?
  /// Time of the last proof of internet access; nil if never.
  private var lastReached: MonotonicTime?
  private var doubtful: [Failure] = []

  /// Minimum duration of audio for a success.
  static let minPlayDuration = Duration(milliseconds: 15_000)
  /// Time before and after a proof of internet access in which the network counts as working.
  static let maxProofAge = Duration(milliseconds: 3_600_000)
  static let maxDoubtfulCount = 20

  var due: MonotonicTime {
    if case .playing(let since) = phase { since + Self.minPlayDuration } else { .never }
  }

  mutating func apply(_ input: Input, at now: MonotonicTime) -> [Outcome] {
    let late = advance(at: now)
    switch input {
    case .tuned(let url): if url != self.url { (self.url, phase) = (url, .silent) }
    case .playing: if phase == .silent { phase = .playing(since: now) }
    case .silent: phase = .silent
    case .failed(let cause):
      phase = .silent
      return late + fail(cause, at: now)
    case .reached: return late + confirmNetwork(at: now)
    }
    return late
  }

  mutating func advance(at now: MonotonicTime) -> [Outcome] {
    switch phase {
    case .silent: return []
    case .playing(let since):
      guard now - since >= Self.minPlayDuration else { return [] }
      phase = .steady
      if let url { doubtful.removeAll { $0.url == url } }
      return confirmNetwork(at: now) + (url.map { [.succeeded($0)] } ?? [])
    case .steady:
      lastReached = now
      return []
    }
  }

  /// Records internet access. Returns the doubtful failures of the last hour, which now count.
  private mutating func confirmNetwork(at now: MonotonicTime) -> [Outcome] {
    lastReached = now
    defer { doubtful = [] }
    return doubtful.filter { now - $0.time < Self.maxProofAge }.map { .failed($0.url, $0.cause) }
  }

  private mutating func fail(_ fault: PlaybackFault.Cause, at now: MonotonicTime) -> [Outcome] {
    guard let url, let cause = PresetRecord.Cause(fault) else { return [] }
    if cause.isAnswer || lastReached.map({ now - $0 < Self.maxProofAge }) == true { return [.failed(url, cause)] }
    doubtful.removeAll { $0.url == url }
    doubtful = doubtful.suffix(Self.maxDoubtfulCount - 1) + [Failure(url: url, cause: cause, time: now)]
    return []
  }
}

extension PresetRecord.Cause {
  /// Converts the cause of a fault; nil if the fault is in this box: network, clock, settings or Bakelite itself.
  init?(_ cause: PlaybackFault.Cause) {
    switch cause {
    case .notFound: self = .gone
    case .passwordNeeded, .forbidden: self = .refused
    case .serverError: self = .broken
    // A host in the owner's own network is not a station. A host that no name server can resolve may be gone.
    case .noSuchHost, .badAddress, .noNameServer: self = .noHost
    case .connectionRefused, .noAnswer, .silence, .disconnected, .slowPlaylist: self = .silent
    case .badCertificate, .noSecureConnection: self = .insecure
    case .badPlaylist, .badAnswer, .notAudio, .webPage, .encryptedHls, .xheAac, .dolby, .alac, .otherCodec, .dash,
      .mp4, .windowsMedia, .wav, .webm, .musepack, .dsd:
      self = .noStation
    case .noNetwork, .proxyFailed, .fewBlocks, .certificateNotYetValid, .unknownScheme, .fileChanged,
      .fileUnreadable, .internalFault:
      return nil
    }
  }
}
