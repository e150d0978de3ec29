import Continuity
import Network
import RadioEngine
import Units

/// Plays a fallback while the listener's station is silent (F4): carries out the decisions of `Continuity`. Control
/// thread only.
public final class FallbackPlayer {
  /// Returns the fallback plan of a station; nil without a fallback.
  public var plan: (QueuedStation) -> FallbackPlan? = { _ in nil }

  /// Seconds after the listener's choice from which the end of a programme ends the chain; nil for no limit.
  public var limit: Double?

  /// True to play a fallback during an ad that a live station announces (B4).
  public var replacesAds = false

  private enum End { case over, failed }

  private let engine: any PlaybackEngine
  private var chain = Continuity()
  private var station: (name: String, request: StationRequest)?
  private var sources: [FallbackSource] = []
  private var files = FallbackFiles()
  /// The files of the current fallback, while they are read.
  private var reading: FallbackReading?
  private var reads = FallbackReads()
  /// A fallback that the listener chose, while its files are read.
  private var choice: (source: Int, reading: FallbackReading)?
  /// The audible source that was left, and the reason; nil once the next source is tried.
  public private(set) var departure: (from: String, reason: SourceReason)?
  private var addresses = AddressWatch()
  private var networkChanges: UInt32 = 0
  private var deadAir: DeadAir?
  /// True while the radio measures the level.
  private var isListening = false
  /// True until another source than the station is tuned.
  private var isStationTuned = true
  /// The end of the current programme; nil while it plays.
  private var end: End?
  private var chosenAt = 0.0
  /// Time of the last audible moment, or of the tuning.
  private var lastAudio = 0.0
  /// The reason why the station was left last, also after its return; nil before.
  private var lastReason: SourceReason?
  /// True while the station is received in the background.
  private(set) var isReceiving = false
  /// True after a return whose reception ends once the station is audible.
  private var isReturning = false

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  // MARK: State

  /// True if a fallback replaces the station.
  public var isAway: Bool { chain.isAway }
  /// True if a fallback may replace the station.
  public var isActive: Bool { chain.rules.isActive || chain.isAway }
  /// True while the tone plays.
  public var hasTone: Bool { chain.hasTone }
  /// The name of the fallback that plays or is tried, or "tone"; nil while the station is the source.
  var sourceName: String? { hasTone ? Self.tone : fallbackName }
  /// As `sourceName`, but nil during the tone, because the sources are still tried.
  public var fallbackName: String? { chain.source > 0 && !hasTone ? name(of: chain.source) : nil }
  /// The reason why the station was left; nil while it is the source.
  var reason: SourceReason? { chain.isAway ? lastReason : nil }

  /// Returns the reason why the station was left before its return; nil if another source returned, such as a bit rate.
  public func reason(beforeReturnTo name: String) -> SourceReason? { name == self.name(of: 0) ? lastReason : nil }

  private static let tone = "tone"

  /// Seconds since the station was left; nil while it is the source.
  var awaySeconds: Double? { chain.isAway ? chain.leftAt.map { (now - $0).seconds } : nil }

  /// Seconds until the station is tried again; 0 while it is received in the background, nil if no attempt is planned.
  var nextAttemptSeconds: Double? {
    guard chain.isAway else { return nil }
    return chain.isReceiving ? 0 : chain.nextAttempt.map { max(0, ($0 - now).seconds) }
  }

  /// The source that replaces the station or its own address, with reason and next attempt; otherwise nil.
  public var report: SourceReport? {
    guard let source = sourceName, let reason, let awaySeconds else { return detour }
    let next: SourceReport.Next =
      switch nextAttemptSeconds {
      case _ where chain.isReceiving: .receiving
      case let seconds?: .planned(seconds: seconds)
      case nil: chain.source == 0 ? .retrying : .never
      }
    return SourceReport(
      source: source, kind: hasTone ? .tone : .fallback, station: name(of: 0), reason: reason, seconds: awaySeconds,
      next: next)
  }

  /// The alternative that delivers; nil at the station's own address.
  private var detour: SourceReport? {
    guard !chain.isAway, let detour = addresses.detour else { return nil }
    return SourceReport(
      source: detour.address, kind: .address, station: name(of: 0), reason: reason(of: detour),
      seconds: engine.time - detour.since, next: .never)
  }

  /// A second source replaces an address whose audio stops, before the engine reports a fault.
  private func reason(of detour: AddressWatch.Detour) -> SourceReason {
    if let rate = engine.status.lowerRate { return .slowLine(rate) }
    return detour.fault.map { .fault($0) } ?? .noAudio(seconds: 0, nil)
  }

  /// The station's addresses in the order of preference, and then its fallbacks.
  var choices: [SourceChoice] {
    guard let station else { return [] }
    let played = sourceName == nil ? engine.status.facts?.url : nil
    let addresses = [station.request.url] + station.request.alternatives.map(\.url)
    let own = addresses.map { url in
      SourceChoice(name: url.description, kind: .address, isCurrent: url.description == played)
    }
    let others = sources.enumerated().map { number, source in
      SourceChoice(name: source.name, kind: .fallback, isCurrent: chain.source == number + 1 && !chain.hasTone)
    }
    let tone = SourceChoice(name: Self.tone, kind: .tone, isCurrent: chain.hasTone)
    return own + others + (chain.rules.hasTone ? [tone] : [])
  }

  private func force(_ fallback: Int) {
    lastReason = .choice
    departure = (sourceName ?? name(of: 0), .choice)
    perform(chain.force(fallback, at: now))
  }

  /// Plays a chosen fallback once its files are read. A fallback without files changes nothing.
  private func receiveChoice() {
    guard let choice, let requests = choice.reading.requests else { return }
    self.choice = nil
    if !requests.isEmpty, sources.indices.contains(choice.source - 1) { force(choice.source) }
  }

  /// Plays a source by its position in `choices`; false if it is neither an address nor a fallback of the station. An
  /// address is preferred until the next tuning. A fallback plays until it fails, or until the next tuning.
  func choose(_ position: Int) -> Bool {
    guard let station, position >= 0 else { return false }
    if let request = station.request.preferring(position) {
      perform(chain.tune(chain.rules, at: now))
      self.station = (station.name, request)
      addresses = AddressWatch()
      playStation()
      return true
    }
    let fallback = position - station.request.alternatives.count
    guard sources.indices.contains(fallback - 1) else { return false }
    if sources[fallback - 1].station != nil {
      force(fallback)
    } else {
      choice = (fallback, reads.read(sources[fallback - 1]))
    }
    return true
  }

  private func name(of source: Int) -> String {
    if source == 0 { return station?.name ?? "" }
    return sources.indices.contains(source - 1) ? sources[source - 1].name : ""
  }

  private var now: MonotonicTime { .zero + Duration(seconds: engine.time) }

  // MARK: The player

  /// Records the station that the listener chose, before it is tuned.
  func begin(_ station: QueuedStation) {
    listen(isWanted: false)
    if isReceiving { receive(false) }
    leaveFiles()
    (departure, choice, addresses) = (nil, nil, AddressWatch())
    isStationTuned = true
    let name = station.name.isEmpty ? station.request.url.description : station.name
    guard let plan = plan(station)?.without(station) else {
      (self.station, sources, deadAir) = ((name, station.request), [], nil)
      if isActive { perform(chain.tune(ContinuityRules(), at: now)) }
      return
    }
    (self.station, sources) = ((name, station.request), plan.sources)
    chosenAt = engine.time
    (end, lastAudio, deadAir) = (nil, engine.time, plan.sources.isEmpty ? nil : plan.deadAir)
    perform(chain.tune(plan.rules, at: now))
  }

  /// Processes the end of a programme without a command; returns true if the chain continues.
  func claims(_ reason: Event.StopReason, isWanted: Bool) -> Bool {
    guard isActive, isWanted, !engine.isSinkLost, reason == .error || chain.source > 0 else { return false }
    if reason == .end, let limit, engine.time - chosenAt >= limit { return false }
    // The end of a station is possible while the files of its fallback are read.
    (end, isStationTuned) = (reason == .error ? .failed : .over, false)
    return true
  }

  /// Compares the facts with the rules; call it in each iteration. `isWanted`: the owner's last order.
  func update(isWanted: Bool, isMuted: Bool = false) {
    followAddress()
    guard isActive else { return }
    followNetwork()
    if isWanted {
      receiveChoice()
      receiveFiles()
    }
    listen(isWanted: isWanted && !isMuted && !chain.hasTone)
    if end == .failed, chain.source > 0, isWanted, files.advanceAfterFailure() { return playFile() }
    var facts = Continuity.Facts()
    // If the card is missing or a pipe has no reader, the source may still be good.
    let isFree = !engine.isSuspended && engine.soundProblem == nil && !engine.isSinkLost
    facts.isWanted = isWanted && engine.state != .paused && isFree
    if !facts.isWanted, isReturning { receive(false) }
    // After a tuning the radio plays the last period of the programme before, in another state.
    facts.isAudible = end == nil && reading == nil && engine.state == .playing && engine.isAudioPlaying
    facts.isFaulty = end == .failed || hasOneAddress && isRefused
    facts.isOver = end == .over
    facts.isDead = facts.isAudible && isListening && (isQuiet || isLooping)
    facts.isSteady = engine.isFirstChoiceReady
    facts.isFirstChoiceHeard = chain.source > 0 && isStationTuned
    if replacesAds {
      facts.isAd = chain.source == 0 && isReplaceableAd
      // The return would end a recording.
      facts.isFirstChoiceAtAd = engine.isFirstChoiceAtAd || chain.source > 0 && engine.status.recording != nil
    }
    facts.isFile = chain.source > 0 && engine.status.facts?.isLive == false
    if facts.isAudible {
      if isReturning { receive(false) }
      lastAudio = engine.time
      files.recordAudio()
    }
    perform(chain.update(facts, at: now))
  }

  /// True if an ad is audible at live. A time-shifted listener and a recording stay with the station.
  private var isReplaceableAd: Bool {
    let status = engine.status
    return status.adBreak != nil && status.facts?.isLive == true && status.recording == nil
      && status.timeShift < Self.maxAdShift
  }

  /// Time shift in seconds from which an ad is played, because a change to another source would lose the time shift.
  private static let maxAdShift = 5.0

  /// Records the fault at an event of the radio.
  func recordFault() { addresses.record(engine.fault) }

  private func followAddress() {
    guard let request = station?.request, !request.alternatives.isEmpty, !chain.isAway else { return }
    if engine.state == .playing, engine.fault == nil { addresses.recover(engine.status.facts?.url) }
    addresses.update(engine.status.facts?.url, of: request, at: engine.time)
  }

  /// Starts a planned round or attempt at once, because a clock that was set makes certificates valid.
  public func hasten() { chain.hasten(to: now) }

  /// Starts a planned round or attempt after a change of the network.
  private func followNetwork() {
    guard engine.networkChanges != networkChanges else { return }
    networkChanges = engine.networkChanges
    chain.hasten(to: now + Self.networkPause)
  }

  /// Delay after a network change, because link, address, route and name server change one after the other.
  private static let networkPause = Duration(milliseconds: 1_000)

  /// False if the engine may try another address of the station.
  private var hasOneAddress: Bool { chain.source > 0 || station?.request.alternatives.isEmpty != false }

  /// True after a lasting fault of each entry of a playlist: only then the engine counts a retry.
  private var isRefused: Bool { engine.fault?.isLasting == true && engine.status.attempt > 0 }

  private var isQuiet: Bool { engine.quietSeconds >= deadAir?.seconds ?? .infinity }

  /// Encoded silence repeats too, and has its own limit.
  private var isLooping: Bool { engine.loopSeconds >= max(DeadAir.loopSeconds, deadAir?.seconds ?? .infinity) }

  /// Starts or stops the measurement of the level.
  private func listen(isWanted: Bool) {
    let isWanted = isWanted && deadAir != nil
    guard isWanted != isListening else { return }
    isListening = isWanted
    engine.watchQuiet(below: isWanted ? deadAir?.decibels : nil)
  }

  // MARK: Actions

  private func perform(_ actions: [Continuity.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: Continuity.Action) {
    switch action {
    case .failOver(let source, let reason): failOver(to: source, reason)
    case .comeBack:
      isReturning = true
      playStation()
    case .retry: playStation()
    case .stay:
      leaveFiles()
      (end, departure) = (nil, nil)
    case .playNext:
      files.advance()
      playFile()
    case .report(let away):
      engine.report(.cameBack(to: name(of: 0), exact: false, after: away.seconds))
    case .tone(let isOn, let reason): setTone(isOn, reason)
    // The station that is received is heard at once, if it is received until then.
    case .receive(let isOn): if isOn || !isReturning { receive(isOn) }
    }
  }

  private func setTone(_ isOn: Bool, _ reason: Continuity.Reason) {
    if isOn {
      leave(chain.source, reason)
      reportFailOver(to: Self.tone)
      // Dead air is audio to the engine, and would replace the tone.
      if reason == .deadAir { engine.stop(.error) }
    }
    engine.playTone(isOn)
  }

  private func receive(_ isOn: Bool) {
    (isReceiving, isReturning) = (isOn, false)
    engine.prefetch(PrefetchRule(firstChoice: isOn ? station?.request : nil))
  }

  private func failOver(to source: Int, _ reason: Continuity.Reason) {
    leave(source - 1, reason)
    if reason == .deadAir {
      let seconds = isQuiet ? engine.quietSeconds : engine.loopSeconds
      engine.report(.deadAir(level: engine.quietLevel, seconds: seconds))
    }
    leaveFiles()
    end = nil
    if let request = sources[source - 1].station { return begin([request]) }
    reading = reads.read(sources[source - 1])
    receiveFiles()
  }

  /// Records the source that is left, and why. A fallback that cannot be read was never a source.
  private func leave(_ source: Int, _ reason: Continuity.Reason) {
    let reason = facts(of: reason)
    if source == 0 { lastReason = reason }
    if departure == nil { departure = (name(of: source), reason) }
  }

  private func leaveFiles() { (reading, files) = (nil, FallbackFiles()) }

  /// Plays the files of a fallback once they are read.
  private func receiveFiles() {
    guard let requests = reading?.requests else { return }
    reading = nil
    requests.isEmpty ? end = .failed : begin(requests)
  }

  private func begin(_ requests: [StationRequest]) {
    files = FallbackFiles(requests)
    reportFailOver(to: name(of: chain.source))
    playFile()
  }

  private func reportFailOver(to name: String) {
    guard let departure else { return }
    self.departure = nil
    let lost = max(0, engine.time - lastAudio)
    let reason = departure.reason.sentence
    engine.report(.failedOver(from: departure.from, to: name, reason: reason, exact: false, lost: lost))
  }

  private func facts(of reason: Continuity.Reason) -> SourceReason {
    switch reason {
    case .choice: .choice
    case .ad: .ad
    case .fault: .fault(engine.fault)
    case .silence: .noAudio(seconds: Int(chain.rules.fallbackAfter.seconds.rounded()), engine.fault)
    case .deadAir: isQuiet ? .quiet(seconds: Int(engine.quietSeconds)) : .loop(seconds: Int(engine.loopSeconds))
    }
  }

  private func playFile() {
    guard let request = files.current else { return end = .failed }
    (end, isStationTuned) = (nil, false)
    engine.tune(request)
  }

  private func playStation() {
    guard let request = station?.request else { return }
    leaveFiles()
    (end, departure, isStationTuned) = (nil, nil, true)
    engine.tune(request)
  }
}

extension PlaybackFault {
  /// True if waiting does not help: after an HTTP status of 4xx, unless it asks for another try, or an unknown host.
  var isLasting: Bool {
    (400..<500).contains(status) && status != 408 && status != 429 || detail == .error(.hostNotFound)
  }
}
