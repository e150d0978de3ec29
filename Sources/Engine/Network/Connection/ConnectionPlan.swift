import Units

/// The connections of a programme and the time of the next try. A value; the caller passes the current time. The
/// packets of one connection, the lead, are used. While a live lead is silent, up to two spares are tried in parallel
/// (R2.4); the first with a packet becomes the lead. Each second a try replaces the newest spare, so a returned network
/// is found within a second. The older spare stays open for some seconds, for a server that needs this time to respond.
/// A lead that repeats a file gets no spare, since the spare would repeat the file too.
struct ConnectionPlan: Hashable, Sendable {
  private(set) var state = State.idle

  enum State: Hashable, Sendable {
    case idle
    /// Closed until `resume`.
    case resting
    case waiting(MonotonicTime)
    case on(Group)
  }

  struct Group: Hashable, Sendable {
    var lead: ConnectionState
    var newest: ConnectionState?
    /// An older spare whose server may still respond.
    var kept: ConnectionState?
    var plan: MonotonicTime?

    var spares: [ConnectionState] { [kept, newest].compactMap { $0 } }
  }

  struct Rules: Hashable, Sendable {
    var allowsSpares: Bool
    var dataTimeout: Duration
    var isDoubtful = false
  }

  /// Time between two tries (R4.1). Also the maximum silence of a lead without packets; after that, a spare is tried.
  static let pause = Duration(milliseconds: 1_000)
  /// Maximum silence of a lead that has delivered audio, before a spare is tried: a short stall may end by itself.
  static let maxSilence = Duration(milliseconds: 3_000)
  /// Maximum silence and maximum age of an older spare.
  static let maxSpareSilence = Duration(milliseconds: 5_000)
  static let maxSpareAge = Duration(milliseconds: 15_000)
  /// Minimum silence of a connection after which a network change counts as its cause.
  static let linkPatience = Duration(milliseconds: 1_000)

  // MARK: State

  private var group: Group? { if case .on(let group) = state { group } else { nil } }

  var lead: ConnectionID? { group?.lead.id }

  /// The spares, the one most likely to respond first.
  var spares: [ConnectionID] { group?.spares.map(\.id) ?? [] }

  var plan: MonotonicTime? {
    switch state {
    case .idle, .resting: nil
    case .waiting(let until): until
    case .on(let group): group.plan
    }
  }

  var isBusy: Bool { lead != nil || plan != nil }

  func contains(_ id: ConnectionID) -> Bool { id == lead || spares.contains(id) }

  var isSettled: Bool { group.map { $0.spares.isEmpty && $0.plan == nil } ?? false }

  /// Time since the last data of the lead; nil without a lead or while its server is paused.
  func silence(at now: MonotonicTime) -> Duration? {
    group.flatMap { $0.lead.isPaused ? nil : now - $0.lead.lastData }
  }

  // MARK: Steps

  enum Step: Hashable, Sendable {
    case connect
    case connectSpare
    /// Plan another try after that silence. `isNext`: true if the previous try delivered nothing either.
    case planSpare(silence: Duration, isNext: Bool)
    case giveUp(silence: Duration)
    case giveUpInDoubt
  }

  mutating func step(at now: MonotonicTime, _ rules: Rules) -> Step? {
    guard case .on(var group) = state else {
      guard case .waiting(let until) = state, now >= until else { return nil }
      state = .idle
      return .connect
    }
    let silence = now - group.lead.lastData
    if !group.lead.isPaused {
      if rules.isDoubtful, silence > Self.linkPatience { return .giveUpInDoubt }
      if silence > rules.dataTimeout { return .giveUp(silence: silence) }
      if group.mayPlan(rules), group.newest == nil, silence >= Self.allowedSilence(of: group.lead) {
        return .planSpare(silence: silence, isNext: false)
      }
    }
    if group.mayPlan(rules), let newest = group.newest, !newest.isPaused, now >= group.nextTry(after: newest) {
      return .planSpare(silence: silence, isNext: true)
    }
    guard let plan = group.plan, now >= plan else { return nil }
    group.plan = nil
    state = .on(group)
    return .connectSpare
  }

  private static func allowedSilence(of line: ConnectionState) -> Duration { line.isJoined ? maxSilence : pause }

  /// Returns the time of the next call of `step`. `look`: interval of checks while a server is paused.
  func due(at now: MonotonicTime, _ rules: Rules, look: Duration) -> MonotonicTime {
    var moment = plan ?? .never
    guard let group else { return moment }
    if ([group.lead] + group.spares).contains(where: { $0.isPaused }) { moment = min(moment, now + look) }
    let mayPlan = group.mayPlan(rules)
    if mayPlan, let newest = group.newest, !newest.isPaused { moment = min(moment, group.nextTry(after: newest)) }
    if group.lead.isPaused { return moment }
    var silence = rules.dataTimeout
    if mayPlan, group.newest == nil { silence = min(silence, Self.allowedSilence(of: group.lead)) }
    if rules.isDoubtful { silence = min(silence, Self.linkPatience) }
    return min(moment, group.lead.lastData + silence)
  }

  // MARK: Events

  mutating func connect(_ line: ConnectionState) { state = .on(Group(lead: line)) }

  /// Adds the newest spare. Returns the connection that must be closed; nil if all connections may stay open.
  mutating func connectSpare(_ line: ConnectionState, at now: MonotonicTime) -> ConnectionID? {
    guard case .on(var group) = state else { return line.id }
    defer { state = .on(group) }
    guard let newest = group.newest else {
      group.newest = line
      return nil
    }
    group.newest = line
    if let kept = group.kept, Self.isWorthKeeping(kept, beside: newest, at: now) { return newest.id }
    defer { group.kept = newest }
    return group.kept?.id
  }

  private static func isWorthKeeping(_ kept: ConnectionState, beside newest: ConnectionState, at now: MonotonicTime)
    -> Bool
  {
    now - kept.lastData <= maxSpareSilence && now - kept.began <= maxSpareAge && (kept.hasAsked || !newest.hasAsked)
  }

  mutating func plan(_ moment: MonotonicTime) {
    if case .on(var group) = state {
      group.plan = moment
      state = .on(group)
    } else {
      state = .waiting(moment)
    }
  }

  mutating func hasten(to soonest: MonotonicTime) -> Bool {
    guard let plan else { return false }
    self.plan(min(plan, soonest))
    return true
  }

  func isStale(at now: MonotonicTime) -> Bool { silence(at: now).map { $0 > Self.linkPatience } ?? false }

  func hasFreshSpare(at now: MonotonicTime) -> Bool {
    group?.newest.map { now - $0.lastData <= Self.linkPatience } ?? false
  }

  mutating func update(_ line: ConnectionState) {
    guard case .on(var group) = state else { return }
    if group.lead.id == line.id { group.lead = line }
    if group.newest?.id == line.id { group.newest = line }
    if group.kept?.id == line.id { group.kept = line }
    state = .on(group)
  }

  /// Makes a spare the lead. Returns the former lead, to be closed; nil if `id` names another connection.
  mutating func adopt(_ id: ConnectionID) -> ConnectionID? {
    guard case .on(var group) = state, let line = group.spares.first(where: { $0.id == id }) else { return nil }
    let old = group.lead.id
    group.remove(id)
    (group.lead, group.plan) = (line, nil)
    state = .on(group)
    return old
  }

  /// Removes the lead. Returns the spare that becomes the lead; nil without a spare.
  mutating func loseLead() -> ConnectionID? {
    guard case .on(var group) = state else { return nil }
    guard let heir = group.spares.first else {
      state = group.plan.map { .waiting($0) } ?? .idle
      return nil
    }
    group.remove(heir.id)
    (group.lead, group.plan) = (heir, nil)
    state = .on(group)
    return heir.id
  }

  mutating func loseSpare(_ id: ConnectionID) {
    guard case .on(var group) = state else { return }
    group.remove(id)
    state = .on(group)
  }

  mutating func dropSpares() -> [ConnectionID] {
    guard case .on(var group) = state else { return [] }
    defer { state = .on(group) }
    let spares = group.spares.map(\.id)
    (group.newest, group.kept) = (nil, nil)
    return spares
  }

  mutating func cancelPlan() {
    switch state {
    case .on(var group):
      group.plan = nil
      state = .on(group)
    case .waiting: state = .idle
    case .idle, .resting: break
    }
  }

  /// Removes all connections and plans. Returns the connections to be closed. `toRest`: true if `resume` will follow.
  mutating func stop(toRest: Bool = false) -> [ConnectionID] {
    let open = group.map { [$0.lead.id] + $0.spares.map(\.id) } ?? []
    state = toRest ? .resting : .idle
    return open
  }
}

extension ConnectionPlan.Group {
  fileprivate func mayPlan(_ rules: ConnectionPlan.Rules) -> Bool {
    rules.allowsSpares && plan == nil && !lead.isRepeating
  }

  /// Time of the try that replaces the newest spare. A spare that repeats a file delays this try.
  fileprivate func nextTry(after newest: ConnectionState) -> MonotonicTime {
    let repeated = spares.filter(\.isRepeating).map(\.lastData).max()
    return max(newest.began + ConnectionPlan.pause, repeated.map { $0 + ConnectionPlan.maxSilence } ?? .zero)
  }

  fileprivate mutating func remove(_ id: ConnectionID) {
    if newest?.id == id { newest = nil }
    if kept?.id == id { kept = nil }
  }
}
