import RadioEngine

/// The station tuned last, with the radio's reports on it. A value.
struct TunedStation {
  /// The id in the queue; nil before the first tuning.
  private(set) var id: Int?
  private(set) var info: StationInfo?
  /// The id of the station that follows without a gap.
  private(set) var followerID: Int?
  private(set) var hasPlayedOut = false
  private var ending: Event.StopReason?
  private var lastFailure = LastFailure()

  var failure: String? { lastFailure.sentence }

  // MARK: Player

  mutating func begin(_ id: Int) {
    self = TunedStation()
    self.id = id
  }

  mutating func beginItem() {
    lastFailure.forget()
    (ending, hasPlayedOut) = (nil, false)
  }

  mutating func stop() { ending = nil }

  mutating func playOut() { hasPlayedOut = true }

  mutating func follow(_ next: Int?) -> Bool {
    defer { followerID = next }
    return next != followerID
  }

  mutating func goOver(to next: Int) {
    (id, info, followerID) = (next, nil, nil)
    lastFailure.forget()
  }

  mutating func forgetFailure() { lastFailure.forget() }

  // MARK: Events

  mutating func handle(_ event: Event, _ engine: any PlaybackEngine) {
    lastFailure.handle(event, engine)
    switch event {
    case .stationInfo(let info): self.info = info
    case .stopped(let reason): ending = reason == .end || reason == .error ? reason : nil
    default: break
    }
  }

  /// Removes and returns the reason if playback ended without a command; nil otherwise.
  mutating func removeEnding() -> Event.StopReason? { ending.take() }
}
