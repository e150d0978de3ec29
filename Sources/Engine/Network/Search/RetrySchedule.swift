import Units

/// Schedules retries and limits the search for a playable address (R4.1, R4.3). A value; the caller passes the time.
struct RetrySchedule: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// Not played yet: other addresses are tried too, for a limited time.
    case searching(Search)
    /// Has played. `losses`: connections lost since the last one proven good.
    case playing(losses: Int)
  }

  struct Search: Hashable, Sendable {
    let began: MonotonicTime
    var mayPass = false
    var failedEntries = 0
  }

  private(set) var phase: Phase
  private var policy: ReconnectPolicy
  /// Earliest time of the next try, as requested by `Retry-After`.
  private var notBefore = MonotonicTime.zero
  /// Earliest time of the next try, by the bytes received without audio.
  private var affordable = MonotonicTime.zero

  /// Maximum number of list entries tried without delay. Further entries are tried once a second, except local files.
  static let maxQuickEntries = 32
  /// Minimum number of list entries to try, even after the time limit: each silent entry takes ten seconds.
  static let minEntries = 16

  init(at now: MonotonicTime, seed: UInt64) {
    phase = .searching(Search(began: now))
    policy = ReconnectPolicy(seed: seed)
  }

  var hasPlayed: Bool { if case .playing = phase { true } else { false } }

  var attempt: Int { policy.attempt }

  func allowsMore(_ retry: StationRequest.Retry) -> Bool {
    if case .times(let most) = retry { policy.attempt < most } else { true }
  }

  func earliestTry(after now: MonotonicTime) -> MonotonicTime { max(notBefore, affordable, policy.soonest(after: now)) }

  // MARK: Events

  mutating func recordTry(at now: MonotonicTime) {
    policy.recordTry(at: now)
    notBefore = .zero
  }

  /// Records the try of a second connection: the next try follows at least a second later.
  mutating func recordSecondTry(at now: MonotonicTime) { policy.recordTry(at: now) }

  /// Records a refusal with `Retry-After`, limited to 300 s.
  mutating func recordRefusal(forSeconds seconds: Int, at now: MonotonicTime) {
    notBefore = now + Duration(milliseconds: Int64(max(0, min(300, seconds))) * 1_000)
  }

  /// Limits the rate of bytes without audio, whatever the number of tries. `began`: start of their connection.
  mutating func recordCost(_ byteCount: Int, since began: MonotonicTime) {
    affordable = max(affordable, began) + ReceiveRate.duration(of: Int64(byteCount))
  }

  /// Drops the `Retry-After` of another connection, since the lead receives data.
  mutating func dropRetryAfter() { notBefore = .zero }

  mutating func recordPlaying() { if !hasPlayed { phase = .playing(losses: 0) } }

  mutating func succeed() {
    policy.recordSuccess()
    if hasPlayed { phase = .playing(losses: 0) }
  }

  mutating func restartEagerPhase() { policy.restartEagerPhase() }

  mutating func reset(seed: UInt64) { policy = ReconnectPolicy(seed: seed) }

  /// Restarts the search time and the retries after a rest. Returns the time of the next try.
  mutating func resume(at now: MonotonicTime) -> MonotonicTime {
    policy.recordSuccess()
    restartSearch(at: now)
    return earliestTry(after: now)
  }

  /// Restarts the search time, but not the retries.
  mutating func restartSearch(at now: MonotonicTime) {
    guard case .searching(let search) = phase else { return }
    phase = .searching(Search(began: now, mayPass: search.mayPass, failedEntries: search.failedEntries))
  }

  mutating func planTry(after now: MonotonicTime) -> MonotonicTime {
    policy.next(after: now, notBefore: max(notBefore, affordable))
  }

  // MARK: Failures

  mutating func countLoss() -> Int {
    guard case .playing(let losses) = phase else { return 0 }
    phase = .playing(losses: losses + 1)
    return losses + 1
  }

  mutating func recordFailure(mayPass: Bool) {
    guard case .searching(var search) = phase else { return }
    search.mayPass = search.mayPass || mayPass
    phase = .searching(search)
  }

  /// Returns the time to try the next list entry. After a failed round, local files and the first entries wait too.
  mutating func nextEntry(isLocal: Bool, at now: MonotonicTime) -> MonotonicTime {
    var isQuick = isLocal
    if case .searching(var search) = phase {
      search.failedEntries += 1
      isQuick = isQuick || search.failedEntries <= Self.maxQuickEntries
      phase = .searching(search)
    }
    return max(affordable, policy.attempt == 0 && isQuick ? now : policy.soonest(after: now))
  }

  func allowsEntry(within patience: Duration, at now: MonotonicTime) -> Bool {
    guard case .searching(let search) = phase else { return true }
    return search.failedEntries < Self.minEntries || now - search.began < patience
  }

  /// Returns true if the search may start another round. False if `Retry-After` exceeds the time limit.
  func allowsRound(within patience: Duration, at now: MonotonicTime) -> Bool {
    guard case .searching(let search) = phase else { return false }
    return search.mayPass && max(now, notBefore) - search.began < patience
  }
}
