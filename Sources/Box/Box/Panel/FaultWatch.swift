import Network
import Panel
import RadioEngine
import Units

/// The tuned station's fault, as the panel shows it.
struct FaultWatch {
  private var fault: PlaybackFault?
  private var attempt = 0
  private var nextTry: MonotonicTime?

  /// Processes an event. `fault`: `Radio.fault` at that time. If nil, the fault ends if the station responds or
  /// playback ends normally.
  mutating func process(_ event: Event, _ fault: PlaybackFault?, at now: MonotonicTime) {
    if let fault { self.fault = fault }
    switch event {
    case .playing, .stitched, .stationInfo, .buffering, .stopped(.user), .stopped(.end):
      if fault == nil { clear() }
    case .reconnecting(let attempt, let delay, _, _):
      (self.attempt, nextTry) = (attempt, now + Duration(seconds: delay))
    default: break
    }
  }

  mutating func clear() { (fault, attempt, nextTry) = (nil, 0, nil) }

  mutating func awaitRetry(until moment: MonotonicTime) { nextTry = moment }

  mutating func clearNextTry() { nextTry = nil }

  func fault(at now: MonotonicTime) -> PanelFault? {
    guard let fault else { return nil }
    let seconds = nextTry.map { max(0, Int(($0 - now).seconds.rounded(.up))) }
    return PanelFault(fault, attempt: max(1, attempt), nextTry: seconds)
  }
}

extension PanelFault {
  init(_ fault: PlaybackFault, attempt: Int, nextTry: Int?) {
    self =
      switch fault.cause {
      case .noNetwork: .noNetwork
      case .noSuchHost, .notFound: .stationNotFound(nextTry: nextTry)
      case .noNameServer: .noNameServer(attempt: attempt, nextTry: nextTry)
      case .connectionRefused: .serverDown(attempt: attempt, nextTry: nextTry)
      case .noAnswer: .noAnswer(attempt: attempt, nextTry: nextTry)
      case .silence, .slowPlaylist: .noData(attempt: attempt, nextTry: nextTry)
      case .disconnected: .serverGone(attempt: attempt, nextTry: nextTry)
      case .proxyFailed: .proxyFailed(attempt: attempt, nextTry: nextTry)
      case .certificateNotYetValid: .waitingForClock
      case .badCertificate: .badCertificate
      case .noSecureConnection: .noSecureConnection
      case .passwordNeeded: .passwordNeeded
      case .forbidden: .refused(code: fault.status, nextTry: nextTry)
      case .serverError: .serverBusy(code: fault.status, nextTry: nextTry)
      case .badAddress, .unknownScheme: .badAddress
      case .badPlaylist: .badPlaylist
      case .badAnswer: .badAnswer
      case .fileChanged: .fileChanged
      case .fileUnreadable: .fileUnreadable
      case .notAudio: .notAudio
      case .webPage: .webPage
      case .encryptedHls: .notPlayable(kind: "HLS")
      case .xheAac: .notPlayable(kind: "xHE-AAC")
      case .dolby: .notPlayable(kind: "Dolby")
      case .alac: .notPlayable(kind: "ALAC")
      case .otherCodec: .notPlayable(kind: "Codec")
      case .dash: .notPlayable(kind: "DASH")
      case .mp4: .notPlayable(kind: "MP4")
      case .windowsMedia: .notPlayable(kind: "WMA")
      case .wav: .notPlayable(kind: "WAV")
      case .musepack: .notPlayable(kind: "Musepack")
      case .dsd: .notPlayable(kind: "DSD")
      case .fewBlocks: .notPlayable(kind: "Blocks")
      case .webm: .notPlayable(kind: "WebM")
      case .internalFault: .internalFault
      }
  }
}
