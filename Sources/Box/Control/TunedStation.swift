import RadioEngine

/// The station that was tuned to last: what the radio tells is about it. A value.
struct TunedStation {
  /// Its id in the queue; nil before any was tuned to.
  private(set) var id: Int?
  /// What it is, once it is decoded.
  private(set) var info: StationInfo?
  /// What the radio was told to go on with: an id of the queue.
  private(set) var followerID: Int?
  /// Whether it came to its end by itself, and nothing follows.
  private(set) var hasPlayedOut = false
  private var ending: Event.StopReason?
  private var lastFailure = LastFailure()

  /// The last failure as a sentence; until something plays again.
  var failure: String? { lastFailure.sentence }

  // MARK: What the player does

  /// A station is tuned to.
  mutating func begin(_ id: Int) {
    self = TunedStation()
    self.id = id
  }

  /// An item of its list is played.
  mutating func beginItem() {
    lastFailure.forget()
    (ending, hasPlayedOut) = (nil, false)
  }

  /// The listener stops it.
  mutating func stop() { ending = nil }

  /// Nothing follows on it.
  mutating func playOut() { hasPlayedOut = true }

  /// Notes what the radio is to go on with; whether that is another station than before.
  mutating func follow(_ next: Int?) -> Bool {
    defer { followerID = next }
    return next != followerID
  }

  /// What was to follow is heard.
  mutating func goOver(to next: Int) {
    (id, info, followerID) = (next, nil, nil)
    lastFailure.forget()
  }

  /// Forgets the last failure.
  mutating func forgetFailure() { lastFailure.forget() }

  // MARK: What the radio tells

  /// Hears an event of the radio.
  mutating func hear(_ event: Event, _ engine: any PlaybackEngine) {
    lastFailure.hear(event, engine)
    switch event {
    case .stationInfo(let info): self.info = info
    case .stopped(let reason): ending = reason == .end || reason == .error ? reason : nil
    default: break
    }
  }

  /// Why it ended by itself, if it did since this was asked last.
  mutating func takeEnding() -> Event.StopReason? {
    defer { ending = nil }
    return ending
  }
}
