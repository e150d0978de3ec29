import RadioEngine

/// The last failure as a sentence; nil after a station plays or is connected again.
struct LastFailure {
  private(set) var sentence: String?
  private var isOfDevice = false

  mutating func handle(_ event: Event, _ engine: any PlaybackEngine) {
    switch event {
    case .missingContent(_, let message), .badContent(_, let message), .urlNotFound(_, let message),
      .timeoutExceeded(_, let message), .noNetwork(_, let message):
      (sentence, isOfDevice) = (message, false)
    case .httpError(let code, let url):
      (sentence, isOfDevice) = (engine.fault?.sentence ?? "\(url) answered \(code).", false)
    // `soundProblem` reports a missing device.
    case .deviceLost(_, let message): if !engine.isDeviceMissing { (sentence, isOfDevice) = (message, true) }
    case .playing: forget()
    // A reconnect does not interrupt buffered audio.
    case .stationInfo, .stitched: if engine.fault == nil, !isOfDevice { forget() }
    default: break
    }
  }

  mutating func forget() { (sentence, isOfDevice) = (nil, false) }
}
