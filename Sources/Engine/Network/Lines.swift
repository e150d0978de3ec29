import Units

/// The connections of what is on, and when the next one is tried. A value: each moment is given by the caller.
///
/// One connection leads: its packets are taken. While a live one is silent, others are tried beside it (R2.4), two at
/// most, and the first that delivers a packet takes its place. A try is followed by the next one a second later. The
/// newest gives way to it, so that a network which is back is found within a second. The one before that is kept for
/// some seconds more: a server that needs them to answer would else be cut off each time, and never heard.
struct Lines: Hashable, Sendable {
  private(set) var state = State.idle

  enum State: Hashable, Sendable {
    /// There is none, and none is planned.
    case idle
    /// The connection was closed, to be taken up again later.
    case resting
    /// There is none until that moment.
    case waiting(MonotonicTime)
    /// There is one, or several.
    case on(Group)
  }

  /// A connection and those beside it.
  struct Group: Hashable, Sendable {
    /// The one whose packets are taken.
    var lead: Line
    /// The one that was tried last beside it.
    var newest: Line?
    /// An older one that may still answer.
    var kept: Line?
    /// When another one is tried beside it.
    var plan: MonotonicTime?

    var spares: [Line] { [kept, newest].compactMap { $0 } }
  }

  /// What holds for the connections at a moment.
  struct Rules: Hashable, Sendable {
    /// Whether others may be tried beside a silent one.
    var allowsSpares: Bool
    /// So long without data, and a connection is given up.
    var dataTimeout: Duration
    /// Whether the network has changed lately, so that a silent connection may be broken.
    var isDoubtful = false
  }

  /// A try is awaited so long before there is another.
  static let pause = Duration(milliseconds: 1_000)
  /// So long a connection that has brought sound is silent before another is tried beside it: it may be held up for a
  /// moment. A new one is a try like any other (R4.1).
  static let longestSilence = Duration(milliseconds: 3_000)
  /// So long an older try is kept while it brings nothing, and while it brings no audio.
  static let patience = Duration(milliseconds: 5_000)
  static let longestPatience = Duration(milliseconds: 15_000)
  /// A connection that is silent for longer when the network has changed is not waited for.
  static let linkPatience = Duration(milliseconds: 1_000)

  // MARK: What there is

  private var group: Group? { if case .on(let group) = state { group } else { nil } }

  /// The connection whose packets are taken; nil where there is none.
  var lead: LineID? { group?.lead.id }

  /// Those beside it, the one first that is likely to answer first.
  var spares: [LineID] { group?.spares.map(\.id) ?? [] }

  /// When the next one is tried; nil while none is planned.
  var plan: MonotonicTime? {
    switch state {
    case .idle, .resting: nil
    case .waiting(let until): until
    case .on(let group): group.plan
    }
  }

  /// Whether there is a connection, or will be.
  var isBusy: Bool { lead != nil || plan != nil }

  /// Whether a connection is one of them; what comes late of another one is not heard.
  func contains(_ id: LineID) -> Bool { id == lead || spares.contains(id) }

  /// Whether nothing is tried beside the connection, or will be.
  var isSettled: Bool { group.map { $0.spares.isEmpty && $0.plan == nil } ?? false }

  /// How long the connection has been silent; nil where there is none, or its server has to wait.
  func silence(at now: MonotonicTime) -> Duration? {
    group.flatMap { $0.lead.isHeld ? nil : now - $0.lead.lastData }
  }

  // MARK: Steps

  /// What is to be done.
  enum Step: Hashable, Sendable {
    /// Connect where there is no connection.
    case connect
    /// Connect beside the silent one.
    case connectSpare
    /// Plan another connection, after so much silence; whether it is because the last one brought nothing either.
    case planSpare(silence: Duration, isNext: Bool)
    /// Give the connection up, which was silent for so long.
    case giveUp(silence: Duration)
    /// Give it up since the network is another one now.
    case giveUpInDoubt
  }

  /// The next step at a moment; nil: none before `due`.
  mutating func step(at now: MonotonicTime, _ rules: Rules) -> Step? {
    guard case .on(var group) = state else {
      guard case .waiting(let until) = state, now >= until else { return nil }
      state = .idle
      return .connect
    }
    let silence = now - group.lead.lastData
    if !group.lead.isHeld {
      if rules.isDoubtful, silence > Self.linkPatience { return .giveUpInDoubt }
      if silence > rules.dataTimeout { return .giveUp(silence: silence) }
      if group.plan == nil, group.newest == nil, rules.allowsSpares, silence >= Self.allowedSilence(of: group.lead) {
        return .planSpare(silence: silence, isNext: false)
      }
    }
    if group.plan == nil, let newest = group.newest, !newest.isHeld, rules.allowsSpares,
      now - newest.began >= Self.pause
    {
      return .planSpare(silence: silence, isNext: true)
    }
    guard let plan = group.plan, now >= plan else { return nil }
    group.plan = nil
    state = .on(group)
    return .connectSpare
  }

  private static func allowedSilence(of line: Line) -> Duration { line.isJoined ? longestSilence : pause }

  /// When `step` is to be called next, if nothing else happens; a server that waits is looked at every `look`.
  func due(at now: MonotonicTime, _ rules: Rules, look: Duration) -> MonotonicTime {
    var moment = plan ?? .never
    guard let group else { return moment }
    if ([group.lead] + group.spares).contains(where: { $0.isHeld }) { moment = min(moment, now + look) }
    let mayPlan = rules.allowsSpares && group.plan == nil
    if mayPlan, let newest = group.newest, !newest.isHeld { moment = min(moment, newest.began + Self.pause) }
    if group.lead.isHeld { return moment }
    var silence = rules.dataTimeout
    if mayPlan, group.newest == nil { silence = min(silence, Self.allowedSilence(of: group.lead)) }
    if rules.isDoubtful { silence = min(silence, Self.linkPatience) }
    return min(moment, group.lead.lastData + silence)
  }

  // MARK: What happens

  /// A connection begins where there is none.
  mutating func connect(_ line: Line) { state = .on(Group(lead: line)) }

  /// Another connection begins beside the silent one; the one that gives way to it has to be closed.
  mutating func connectSpare(_ line: Line, at now: MonotonicTime) -> LineID? {
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

  private static func isWorthKeeping(_ kept: Line, beside newest: Line, at now: MonotonicTime) -> Bool {
    now - kept.lastData <= patience && now - kept.began <= longestPatience && (kept.hasAsked || !newest.hasAsked)
  }

  /// Another connection is planned, which may be the only one.
  mutating func plan(_ moment: MonotonicTime) {
    if case .on(var group) = state {
      group.plan = moment
      state = .on(group)
    } else {
      state = .waiting(moment)
    }
  }

  /// What is planned comes no later than that; false where nothing is.
  mutating func hasten(to soonest: MonotonicTime) -> Bool {
    guard let plan else { return false }
    self.plan(min(plan, soonest))
    return true
  }

  /// Whether a connection that is silent may be given up for another one, now that the network has changed.
  func isStale(at now: MonotonicTime) -> Bool { silence(at: now).map { $0 > Self.linkPatience } ?? false }

  /// Whether the newest of those beside it has brought something just now.
  func hasFreshSpare(at now: MonotonicTime) -> Bool {
    group?.newest.map { now - $0.lastData <= Self.linkPatience } ?? false
  }

  /// What a connection is like now.
  mutating func note(_ line: Line) {
    guard case .on(var group) = state else { return }
    if group.lead.id == line.id { group.lead = line }
    if group.newest?.id == line.id { group.newest = line }
    if group.kept?.id == line.id { group.kept = line }
    state = .on(group)
  }

  /// One of those beside the connection leads from now on; the one that led, and is to be closed, if there was one.
  mutating func adopt(_ id: LineID) -> LineID? {
    guard case .on(var group) = state, let line = group.spares.first(where: { $0.id == id }) else { return nil }
    let old = group.lead.id
    group.remove(id)
    (group.lead, group.plan) = (line, nil)
    state = .on(group)
    return old
  }

  /// The connection is gone. One of those beside it leads then, and is given back; else what was planned comes.
  mutating func loseLead() -> LineID? {
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

  /// One of those beside the connection is gone.
  mutating func loseSpare(_ id: LineID) {
    guard case .on(var group) = state else { return }
    group.remove(id)
    state = .on(group)
  }

  /// Nothing is tried beside the connection any more; those are to be closed that were.
  mutating func dropSpares() -> [LineID] {
    guard case .on(var group) = state else { return [] }
    defer { state = .on(group) }
    let spares = group.spares.map(\.id)
    (group.newest, group.kept) = (nil, nil)
    return spares
  }

  /// Nothing is planned beside the connection any more.
  mutating func unplan() {
    switch state {
    case .on(var group):
      group.plan = nil
      state = .on(group)
    case .waiting: state = .idle
    case .idle, .resting: break
    }
  }

  /// All of them end, for good or until `resume`; they are to be closed.
  mutating func stop(toRest: Bool = false) -> [LineID] {
    let open = group.map { [$0.lead.id] + $0.spares.map(\.id) } ?? []
    state = toRest ? .resting : .idle
    return open
  }
}

extension Lines.Group {
  fileprivate mutating func remove(_ id: LineID) {
    if newest?.id == id { newest = nil }
    if kept?.id == id { kept = nil }
  }
}
