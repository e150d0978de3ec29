import RadioEngine

/// The last failure as a sentence; nil after a station plays again.
struct LastFailure {
  private(set) var sentence: String?

  mutating func handle(_ event: Event, _ engine: any PlaybackEngine) {
    switch event {
    case .missingContent(_, let message), .badContent(_, let message), .urlNotFound(_, let message),
      .timeoutExceeded(_, let message), .noNetwork(_, let message):
      sentence = message
    case .httpError(let code, let url): sentence = engine.fault?.sentence ?? "\(url) answered \(code)."
    // `soundProblem` reports a missing device.
    case .deviceLost(_, let message): if !engine.isDeviceMissing { sentence = message }
    case .playing: sentence = nil
    default: break
    }
  }

  mutating func forget() { sentence = nil }
}
