import Units

/// Whether and when what failed is tried again (R4.1, R4.3). A value: each moment is given by the caller.
struct Tries: Hashable, Sendable {
  /// What the tries are for.
  enum Phase: Hashable, Sendable {
    /// Nothing was heard yet: other addresses may do better, and the tries come to an end.
    case searching(Search)
    /// It has played; so many connections were lost since audio proved one good.
    case playing(losses: Int)
  }

  /// The search for what can be played.
  struct Search: Hashable, Sendable {
    let began: MonotonicTime
    /// Whether any failure of this round may pass by itself.
    var mayPass = false
    /// Entries of lists that failed.
    var failedEntries = 0
  }

  private(set) var phase: Phase
  private var policy: ReconnectPolicy
  /// What the server asked for by `Retry-After`: no try before.
  private var notBefore = MonotonicTime.zero

  /// So many entries of lists may fail before they are tried once a second; files of this machine cost nothing.
  static let mostQuickEntries = 32
  /// So many are tried however long that takes; of a longer list those that there is time for. Each that is silent
  /// takes ten seconds.
  static let fewEntries = 16

  /// The tries of a programme that begins.
  init(at now: MonotonicTime, seed: UInt64) {
    phase = .searching(Search(began: now))
    policy = ReconnectPolicy(seed: seed)
  }

  /// Whether the programme has played.
  var hasPlayed: Bool { if case .playing = phase { true } else { false } }

  /// Tries planned since audio came.
  var attempt: Int { policy.attempt }

  /// Whether there may be another one.
  func allowsMore(_ retry: StationRequest.Retry) -> Bool {
    if case .times(let most) = retry { policy.attempt < most } else { true }
  }

  /// The first moment at which there may be one.
  func soonest(after now: MonotonicTime) -> MonotonicTime { max(notBefore, policy.soonest(after: now)) }

  // MARK: What happens

  /// A connection begins.
  mutating func connect(at now: MonotonicTime) {
    policy.tries(at: now)
    notBefore = .zero
  }

  /// The server refused, and wants to be left alone for so many seconds; 300 at most are granted.
  mutating func refused(forSeconds seconds: Int, at now: MonotonicTime) {
    notBefore = now + Duration(milliseconds: Int64(max(0, min(300, seconds))) * 1_000)
  }

  /// The connection that leads is served: what was asked of others beside it is over.
  mutating func serve() { notBefore = .zero }

  /// The programme plays.
  mutating func play() { if !hasPlayed { phase = .playing(losses: 0) } }

  /// Audio proved the connection good.
  mutating func succeed() {
    policy.succeeded()
    if hasPlayed { phase = .playing(losses: 0) }
  }

  /// The network is not what it was: the eager tries begin anew.
  mutating func hurry() { policy.hurry() }

  /// What was held is forgotten, as at another place of a file.
  mutating func restart(seed: UInt64) { policy = ReconnectPolicy(seed: seed) }

  /// What rested goes on: when it is tried.
  mutating func resume(at now: MonotonicTime) -> MonotonicTime {
    policy.succeeded()
    if case .searching(var search) = phase {
      search = Search(began: now, mayPass: search.mayPass, failedEntries: search.failedEntries)
      phase = .searching(search)
    }
    return soonest(after: now)
  }

  /// The next try, counted.
  mutating func next(after now: MonotonicTime) -> MonotonicTime { policy.next(after: now, notBefore: notBefore) }

  // MARK: What failed

  /// What has played was lost; how often that happened since audio proved a connection good.
  mutating func lose() -> Int {
    guard case .playing(let losses) = phase else { return 0 }
    phase = .playing(losses: losses + 1)
    return losses + 1
  }

  /// Something of a search failed, which may pass by itself or not.
  mutating func fail(mayPass: Bool) {
    guard case .searching(var search) = phase else { return }
    search.mayPass = search.mayPass || mayPass
    phase = .searching(search)
  }

  /// An entry of a list failed: when the next one is tried. The first ones are at once, the others, and a list that has
  /// failed once, no faster than anything else is.
  mutating func nextEntry(isLocal: Bool, at now: MonotonicTime) -> MonotonicTime {
    var isQuick = isLocal
    if case .searching(var search) = phase {
      search.failedEntries += 1
      isQuick = isQuick || search.failedEntries <= Self.mostQuickEntries
      phase = .searching(search)
    }
    return policy.attempt == 0 && isQuick ? now : policy.soonest(after: now)
  }

  /// Whether the next entry of a list may be tried, of a search that takes so long at most.
  func allowsEntry(within patience: Duration, at now: MonotonicTime) -> Bool {
    guard case .searching(let search) = phase else { return true }
    return search.failedEntries < Self.fewEntries || now - search.began < patience
  }

  /// Whether a search goes on from its beginning once all has failed. A server that wants to be left alone for longer
  /// than the search may take is given up now.
  func allowsRound(within patience: Duration, at now: MonotonicTime) -> Bool {
    guard case .searching(let search) = phase else { return false }
    return search.mayPass && max(now, notBefore) - search.began < patience
  }
}
