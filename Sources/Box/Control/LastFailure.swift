import RadioEngine

/// What failed last, as a sentence; until something plays again.
struct LastFailure {
  private(set) var sentence: String?

  /// Hears an event of the radio.
  mutating func hear(_ event: Event, _ engine: any PlaybackEngine) {
    switch event {
    case .missingContent(_, let message), .badContent(_, let message), .urlNotFound(_, let message),
      .timeoutExceeded(_, let message), .noNetwork(_, let message):
      sentence = message
    case .httpError(let code, let url): sentence = engine.fault?.sentence ?? "\(url) answered \(code)."
    // A device that is missing is told of as long as it is.
    case .deviceLost(_, let message): if !engine.isDeviceMissing { sentence = message }
    case .playing: sentence = nil
    default: break
    }
  }

  /// Forgets it.
  mutating func forget() { sentence = nil }
}
