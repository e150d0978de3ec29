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

  private enum End { case over, failed }

  private let engine: any PlaybackEngine
  private var chain = Continuity()
  private var station: (name: String, request: StationRequest)?
  private var sources: [FallbackSource] = []
  private var files = FallbackFiles()
  private var deadAir: DeadAir?
  /// True while the radio measures the level.
  private var isListening = false
  /// The end of the current programme; nil while it plays.
  private var end: End?
  private var chosenAt = 0.0
  /// Time of the last audible moment, or of the tuning.
  private var lastAudio = 0.0
  private var reasonWords = ""
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
  /// The reason why the station was left, as a sentence; nil while it is the source.
  public var reason: String? { chain.isAway ? reasonWords : nil }

  private static let tone = "tone"

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
    guard let plan = plan(station)?.without(station) else {
      deadAir = nil
      if isActive { perform(chain.tune(ContinuityRules(), at: now)) }
      return
    }
    let name = station.name.isEmpty ? station.request.url.description : station.name
    (self.station, sources) = ((name, station.request), plan.sources)
    chosenAt = engine.time
    (end, lastAudio, deadAir) = (nil, engine.time, plan.sources.isEmpty ? nil : plan.deadAir)
    perform(chain.tune(plan.rules, at: now))
  }

  /// Processes the end of a programme without a command; returns true if the chain continues.
  func claims(_ reason: Event.StopReason, isWanted: Bool) -> Bool {
    guard isActive, isWanted, !engine.isSinkLost, reason == .error || chain.source > 0 else { return false }
    if reason == .end, let limit, engine.time - chosenAt >= limit { return false }
    end = reason == .error ? .failed : .over
    return true
  }

  /// Compares the facts with the rules; call it in each iteration. `isWanted`: the owner's last order.
  func update(isWanted: Bool, isMuted: Bool = false) {
    guard isActive else { return }
    listen(isWanted: isWanted && !isMuted && !chain.hasTone)
    if end == .failed, chain.source > 0, isWanted, files.advanceAfterFailure() { return playFile() }
    var facts = Continuity.Facts()
    // If the card is missing or a pipe has no reader, the source may still be good.
    let isFree = !engine.isSuspended && engine.soundProblem == nil && !engine.isSinkLost
    facts.isWanted = isWanted && engine.state != .paused && isFree
    if !facts.isWanted, isReturning { receive(false) }
    // After a tuning the radio plays the last period of the programme before, in another state.
    facts.isAudible = end == nil && engine.state == .playing && engine.isAudioPlaying
    facts.isFaulty = end == .failed || hasOneAddress && engine.fault?.isLasting == true
    facts.isOver = end == .over
    facts.isDead = facts.isAudible && isListening && engine.quietSeconds >= deadAir?.seconds ?? .infinity
    facts.isSteady = engine.isFirstChoiceReady
    facts.isFile = chain.source > 0 && engine.status.facts?.isLive == false
    if facts.isAudible {
      if isReturning { receive(false) }
      lastAudio = engine.time
      files.recordAudio()
    }
    perform(chain.update(facts, at: now))
  }

  /// False if the engine may try another address of the station.
  private var hasOneAddress: Bool { chain.source > 0 || station?.request.alternatives.isEmpty != false }

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
      let words = words(reason)
      if chain.source == 0 { reasonWords = words }
      reportFailOver(from: name(of: chain.source), to: Self.tone, words)
    }
    engine.playTone(isOn)
  }

  private func receive(_ isOn: Bool) {
    (isReceiving, isReturning) = (isOn, false)
    engine.prefetch(PrefetchRule(firstChoice: isOn ? station?.request : nil))
  }

  private func failOver(to source: Int, _ reason: Continuity.Reason) {
    if reason == .deadAir { engine.report(.deadAir(level: engine.quietLevel, seconds: engine.quietSeconds)) }
    let words = words(reason)
    if source == 1 { reasonWords = words }
    let requests = (try? sources[source - 1].requests()) ?? []
    files = FallbackFiles(requests)
    reportFailOver(from: name(of: source - 1), to: name(of: source), words)
    playFile()
  }

  private func reportFailOver(from: String, to: String, _ words: String) {
    let lost = max(0, engine.time - lastAudio)
    engine.report(.failedOver(from: from, to: to, reason: words, exact: false, lost: lost))
  }

  private func words(_ reason: Continuity.Reason) -> String {
    switch reason {
    case .fault: engine.fault?.sentence ?? "The source cannot be played."
    case .silence: "No audio for \(Int(chain.rules.fallbackAfter.seconds.rounded())) s."
    case .deadAir: "Only silence for \(Int(engine.quietSeconds)) s."
    }
  }

  private func playFile() {
    guard let request = files.current else { return end = .failed }
    end = nil
    engine.tune(request)
  }

  private func playStation() {
    guard let request = station?.request else { return }
    end = nil
    engine.tune(request)
  }
}

extension PlaybackFault {
  /// True if waiting does not help: after an HTTP status of 4xx, unless it asks for another try, or an unknown host.
  var isLasting: Bool {
    (400..<500).contains(status) && status != 408 && status != 429 || detail == .error(.hostNotFound)
  }
}
