import Units

/// Chooses the source (F4): the listener's station, a fallback, or the tone. A value; the caller passes the time.
///
/// Source 0 is the station that the listener chose, source n the nth fallback. The caller carries out the returned
/// actions in order before the next update.
public struct Continuity: Equatable, Sendable {
  /// The facts of the present moment.
  public struct Facts: Equatable, Sendable {
    /// False while the radio is paused, stopped, in standby, or suspended.
    public var isWanted = true
    /// True if the current source is audible.
    public var isAudible = false
    /// True if waiting for the current source is useless, such as after a 404 or an unknown host.
    public var isFaulty = false
    /// True if the current source plays a level of silence for too long.
    public var isDead = false
    /// True if the programme of the current source has ended.
    public var isOver = false
    /// True if the current source is a file.
    public var isFile = false
    /// True if the first choice is received in the background, without an interruption.
    public var isSteady = false
    /// True if the audible first choice is at an announced ad that the listener does not want.
    public var isAd = false
    /// True if the first choice, received in the background, is at an announced ad.
    public var isFirstChoiceAtAd = false
    /// True if the first choice is still heard, because the files of the current source are not read.
    public var isFirstChoiceHeard = false

    /// Creates the facts of a wanted and silent radio.
    public init() {}
  }

  /// The reason why a source is left.
  public enum Reason: String, Sendable {
    case silence, fault, deadAir
    /// An announced ad (B4).
    case ad
    /// The listener chose another source.
    case choice
  }

  /// An order to the player.
  public enum Action: Equatable, Sendable {
    /// Plays another source, because the current source does not play.
    case failOver(to: Int, Reason)
    /// Plays the first choice, because it is received in the background.
    case comeBack
    /// Connects to the first choice again.
    case retry
    /// Plays on with the first choice: the fallback replaced nothing.
    case stay
    /// Plays the next file of the current source.
    case playNext
    /// Starts or stops the tone.
    case tone(Bool, Reason)
    /// Starts or stops the reception of the first choice in the background.
    case receive(Bool)
    /// Reports that the first choice is audible again, after an absence.
    case report(after: Duration)
  }

  /// The rules of the current station.
  public private(set) var rules = ContinuityRules()
  /// The source that plays or is tried: 0 for the first choice.
  public private(set) var source = 0
  /// True while the tone plays.
  public private(set) var hasTone = false
  /// The reason why the first choice was left; nil while it is the source.
  public private(set) var reason: Reason?

  private var silentSince: MonotonicTime?
  private var hasSounded = false
  /// Time at which the next file of the current source was ordered; nil once it is audible.
  private var fileSince: MonotonicTime?
  /// Time at which the first choice was left; nil while it plays.
  public private(set) var leftAt: MonotonicTime?
  /// True if the listener chose the current source.
  private var isForced = false
  private var round = Round()
  private var wayBack = WayBack()
  private var trust = ReturnTrust()
  private var ads = AdReplacements()

  /// Creates a chain without a station.
  public init() {}

  /// True if a fallback or the tone replaces the first choice.
  public var isAway: Bool { source > 0 || hasTone }

  /// Time of the next attempt to receive the first choice, or of the next round; nil during an attempt, and if neither
  /// is planned.
  public var nextAttempt: MonotonicTime? { round.next ?? (wayBack.isReceiving || isForced ? nil : wayBack.next) }

  /// True while the first choice is received in the background.
  public var isReceiving: Bool { wayBack.isReceiving }

  /// Starts with a station that the listener chose. The caller plays it. Returns the actions that end the last chain.
  public mutating func tune(_ rules: ContinuityRules, at now: MonotonicTime) -> [Action] {
    let actions = release()
    self.rules = rules
    (source, hasSounded) = (0, false)
    (leftAt, reason, isForced) = (nil, nil, false)
    (silentSince, trust, ads) = (now, ReturnTrust(rules.returnAfter), AdReplacements())
    round = Round(at: now)
    return actions
  }

  /// Plays a fallback, 1 to `stepCount`, that the listener chose, without a way back. If the fallback fails, the chain
  /// continues as usual.
  public mutating func force(_ source: Int, at now: MonotonicTime) -> [Action] {
    precondition((1...max(1, rules.stepCount)).contains(source), "the source is a fallback of the station")
    let actions = release()
    (isForced, leftAt, reason) = (true, leftAt ?? now, .choice)
    return actions + [.failOver(to: source, .choice)] + begin(source, at: now)
  }

  /// Returns the actions after the facts of a moment.
  public mutating func update(_ facts: Facts, at now: MonotonicTime) -> [Action] {
    guard rules.isActive || isAway || leftAt != nil else { return [] }
    guard facts.isWanted else { return release() }
    // A pause ended the reception.
    if source > 0, wayBack.next == nil { wayBack.schedule(at: now) }
    if facts.isAudible, !facts.isDead { return hear(facts, at: now) }
    if facts.isDead { silentSince = silentSince ?? now - rules.fallbackAfter } else { silentSince = silentSince ?? now }
    // The end of a file is not silence.
    if facts.isOver, source > 0, hasSounded { return playNext(facts, at: now) }
    // Dead air is received as steadily as audio.
    if facts.isSteady, wayBack.isReceiving, reason != .deadAir, !startsFile(at: now),
      reason != .ad || endsAdReplacement(facts, at: now)
    {
      return comeBack(at: now, hasFailed: facts.isFirstChoiceAtAd)
    }
    if reason == .ad, facts.isFirstChoiceHeard, lacksAdReplacement(facts, at: now) { return stay(at: now) }
    return wait(facts, at: now) + attempt(facts, at: now)
  }

  /// Starts the next round, or the next attempt to receive the first choice, by `moment`: the network returned, or the
  /// clock was set.
  public mutating func hasten(to moment: MonotonicTime) {
    round.hasten(to: moment)
    wayBack.hasten(to: moment)
  }

  // MARK: Silence

  /// Ends tone and reception: a silent radio is wanted.
  private mutating func release() -> [Action] {
    var actions = endTone()
    if wayBack.isReceiving { actions.append(.receive(false)) }
    (silentSince, wayBack) = (nil, WayBack())
    ads.isContinuous = false
    round = Round()
    return actions
  }

  private mutating func endTone() -> [Action] {
    guard hasTone else { return [] }
    hasTone = false
    return [.tone(false, .silence)]
  }

  /// Waits for the current source, and leaves it after a fault or enough silence.
  private mutating func wait(_ facts: Facts, at now: MonotonicTime) -> [Action] {
    if let next = round.next { return now >= next ? startRound(at: now) : [] }
    guard let silentSince else { return [] }
    let isHeard = reason == .ad && facts.isFirstChoiceHeard
    let isLong = !isHeard && now - silentSince >= rules.fallbackAfter
    guard facts.isFaulty || facts.isDead || isLong || facts.isOver && source > 0 else { return [] }
    return advance(facts.isDead ? .deadAir : facts.isFaulty ? .fault : .silence, facts, at: now)
  }

  private mutating func advance(_ reason: Reason, _ facts: Facts, at now: MonotonicTime) -> [Action] {
    isForced = false
    if leftAt == nil || source == 0 && (trust.hasReturned || self.reason == .ad) {
      (leftAt, self.reason) = (leftAt ?? now, reason)
      trust.recordFailure(at: now)
    }
    guard source < rules.stepCount else { return endRound(reason, facts, at: now) }
    let actions = begin(source + 1, at: now)
    return [.failOver(to: source, reason)] + actions
  }

  /// Makes a source current; returns the actions for the reception in the background.
  private mutating func begin(_ source: Int, at now: MonotonicTime) -> [Action] {
    (self.source, silentSince, hasSounded) = (source, now, false)
    fileSince = nil
    if source > 0 {
      if wayBack.next == nil { wayBack.schedule(at: now) }
      return []
    }
    defer { wayBack = WayBack() }
    return wayBack.isReceiving ? [.receive(false)] : []
  }

  /// Handles a round in which no source was audible: the tone plays, and the next round starts with the first choice.
  private mutating func endRound(_ reason: Reason, _ facts: Facts, at now: MonotonicTime) -> [Action] {
    var actions: [Action] = []
    if rules.hasTone, !hasTone {
      hasTone = true
      actions.append(.tone(true, reason))
    }
    silentSince = now
    // The engine retries a first choice that it has not given up.
    guard source > 0 || facts.isFaulty || facts.isDead else { return actions }
    round.end(at: now)
    return actions
  }

  private mutating func startRound(at now: MonotonicTime) -> [Action] {
    round.start(at: now)
    if reason == .ad { ads.end(at: now, hasFailed: true) }
    return begin(0, at: now) + [.retry]
  }

  // MARK: Audio

  private mutating func hear(_ facts: Facts, at now: MonotonicTime) -> [Action] {
    (silentSince, hasSounded, fileSince) = (nil, true, nil)
    round = Round(at: now)
    var actions = endTone()
    if source > 0 {
      if facts.isOver { return actions + playNext(facts, at: now) }
      return actions + attempt(facts, at: now)
    }
    if let leftAt {
      if reason != .ad { trust.recordReturn(at: now) }
      actions.append(.report(after: now - leftAt))
    }
    (leftAt, reason) = (nil, nil)
    return actions + (facts.isAd ? leaveForAd(at: now) : [])
  }

  /// Plays the next file, or the first choice if it waits for the end of this file.
  private mutating func playNext(_ facts: Facts, at now: MonotonicTime) -> [Action] {
    if reason != .ad, facts.isSteady, let steady = wayBack.steadySince, now - steady >= trust.wait,
      trust.permitsReturn(at: now)
    {
      return comeBack(at: now)
    }
    (silentSince, hasSounded, fileSince) = (silentSince ?? now, false, now)
    return [.playNext]
  }

  /// True while the next file starts: its silence is not the fallback's.
  private func startsFile(at now: MonotonicTime) -> Bool {
    fileSince.map { now - $0 < ContinuityRules.fileStart } ?? false
  }

  // MARK: Ads

  /// Plays the first fallback during an ad. The first choice is received on, and returned to after the ad.
  private mutating func leaveForAd(at now: MonotonicTime) -> [Action] {
    guard rules.stepCount > 0, ads.permits(at: now) else { return [] }
    (leftAt, reason) = (now, .ad)
    ads.start(at: now)
    wayBack.start(at: now)
    return [.receive(true), .failOver(to: 1, .ad)] + begin(1, at: now)
  }

  /// Returns true if a silent fallback no longer replaces the ad: the ad is over, the last fallback failed, or the
  /// fallback is too late.
  private func endsAdReplacement(_ facts: Facts, at now: MonotonicTime) -> Bool {
    guard facts.isFirstChoiceAtAd, let silentSince else { return true }
    if facts.isFaulty || facts.isDead { return source == rules.stepCount }
    return now - silentSince >= ContinuityRules.adPatience
  }

  /// Returns true if the last fallback has no audio for the ad: a missing file, or a folder that is read too slowly.
  private func lacksAdReplacement(_ facts: Facts, at now: MonotonicTime) -> Bool {
    guard let silentSince, now - silentSince < ContinuityRules.adPatience else { return true }
    return facts.isFaulty && source == rules.stepCount
  }

  private mutating func stay(at now: MonotonicTime) -> [Action] {
    ads.end(at: now, hasFailed: true)
    (leftAt, reason) = (nil, nil)
    return [.stay] + begin(0, at: now)
  }

  /// Returns after the ad. A reception that was interrupted must be steady first, since it may begin with an ad.
  private mutating func returnAfterAd(_ facts: Facts, since steady: MonotonicTime, at now: MonotonicTime) -> [Action] {
    let isTooLong = ads.isTooLong(at: now)
    guard isTooLong || !facts.isFirstChoiceAtAd, ads.isContinuous || now - steady >= trust.wait else { return [] }
    return comeBack(at: now, hasFailed: isTooLong)
  }

  // MARK: The way back

  /// Receives the first choice from time to time, and returns to it after enough steady audio.
  private mutating func attempt(_ facts: Facts, at now: MonotonicTime) -> [Action] {
    guard source > 0, !isForced, let next = wayBack.next else { return [] }
    guard wayBack.isReceiving else {
      guard now >= next else { return [] }
      wayBack.start(at: now)
      return [.receive(true)]
    }
    // The reception in the background begins with the fallback.
    if reason == .ad, facts.isFirstChoiceHeard { wayBack.start(at: now) }
    guard facts.isSteady else {
      guard wayBack.endsWithoutAudio(at: now) else { return [] }
      wayBack.end(at: now)
      ads.isContinuous = false
      return [.receive(false)]
    }
    if wayBack.steadySince == nil, now - next > ContinuityRules.maxExchange { ads.isContinuous = false }
    let steady = wayBack.steadySince ?? now
    wayBack.steadySince = steady
    if reason == .ad { return returnAfterAd(facts, since: steady, at: now) }
    guard now - steady >= trust.wait, trust.permitsReturn(at: now) else { return [] }
    return facts.isFile && now - steady < trust.wait + ContinuityRules.fileLimit ? [] : comeBack(at: now)
  }

  private mutating func comeBack(at now: MonotonicTime, hasFailed: Bool = false) -> [Action] {
    if reason == .ad { ads.end(at: now, hasFailed: hasFailed) } else { trust.recordReturn(at: now) }
    round.start(at: now)
    let actions = begin(0, at: now)
    return [.comeBack] + actions
  }
}
