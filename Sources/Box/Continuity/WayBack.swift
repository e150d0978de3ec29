import Units

/// The attempts to receive the first choice in the background. A value.
struct WayBack: Equatable {
  /// Time of the next attempt, or of the running attempt; nil while the first choice is the source.
  private(set) var next: MonotonicTime?
  private(set) var isReceiving = false
  /// Start of the audio received without an interruption.
  var steadySince: MonotonicTime?
  private var interval = ContinuityRules.minRetry

  mutating func schedule(at now: MonotonicTime) { next = now + interval }

  /// Moves a planned attempt forward.
  mutating func hasten(to moment: MonotonicTime) { if !isReceiving { next = next.map { min($0, moment) } } }

  mutating func start(at now: MonotonicTime) { (next, isReceiving, steadySince) = (now, true, nil) }

  /// True if the attempt received no audio in time, or if the audio stopped.
  func endsWithoutAudio(at now: MonotonicTime) -> Bool {
    guard let next else { return true }
    return steadySince != nil || now - next >= ContinuityRules.attemptLimit
  }

  /// Ends an attempt; the interval to the next attempt grows to 3 min.
  mutating func end(at now: MonotonicTime) {
    next = (next ?? now) + interval
    if steadySince != nil { next = now + interval }
    interval = min(ContinuityRules.maxRetry, interval + interval)
    next = max(now, next ?? now)
    (isReceiving, steadySince) = (false, nil)
  }
}
