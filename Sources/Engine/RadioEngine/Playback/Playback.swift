import Framing
import Network
import Recordings
import Units

/// Runs a programme from the request to playback: begins it, handles the threads' notices, follows the audible
/// position, and continues with its successor. Control thread only.
///
/// Performs the decisions of `Transport` and `ItemQueue`; `OutputKeeper` performs those of `OutputSupervisor`.
final class Playback: OutputClient {
  private(set) var programme = Programme()
  private(set) var transport: Transport
  let items: ItemPlayer
  /// Created at once, because it measures the machine's sleep.
  private(set) lazy var output = OutputKeeper(engine, for: self)
  private let engine: any EngineControl
  private var settings: RadioSettings
  private let steersUsually: Bool
  private let recorder: Recorder
  private let journal: Journal
  private var expecting = MonotonicTime.zero

  init(
    _ settings: RadioSettings, _ engine: any EngineControl, _ recorder: Recorder, _ journal: Journal, steers: Bool
  ) {
    (self.settings, self.engine, self.recorder, self.journal) = (settings, engine, recorder, journal)
    items = ItemPlayer(engine, playsWhole: settings.duration == nil)
    steersUsually = settings.steers ?? steers
    transport = Transport(settings.rules)
    _ = output
  }

  /// The radio's state. A lost connection does not change this state.
  var phase: RadioState { transport.phase }
  /// True while the render thread is about to start or to need a format. The control thread must then poll.
  var expectsSound: Bool { engine.now < expecting }
  var look: ProgrammeSnapshot {
    var look = engine.snapshot(at: programme.epoch)
    (look.facts, look.base, look.border) = (programme.facts, items.queue.base, items.queue.border)
    (look.isSuspended, look.isRecorded, look.window) = (output.isSuspended, recorder.isBusy, programme.window)
    return look
  }

  var position: StreamTime { transport.position(look) }
  /// Buffered seconds that are not yet audible.
  var held: Double { transport.buffered(look).seconds }
  var heardSeconds: Double {
    programme.playedBefore + (engine.audiblePosition(of: programme.epoch)?.played.seconds ?? 0)
  }
  var name: String { items.name(programme.facts) }

  var recordingContext: RecordingContext {
    RecordingContext(
      epoch: programme.epoch, isPlaying: phase != .stopped, titles: programme.titles,
      station: programme.facts.map { $0.name ?? $0.url }, position: position)
  }

  func emit(_ event: Event) { journal.emit(event) }
  /// Reports events; returns false if an observer tuned or stopped, which makes later steps obsolete.
  private func emitUnlessInterrupted(telling events: [Event]) -> Bool {
    let epoch = programme.epoch
    return events.allSatisfy { event in
      emit(event)
      return epoch == programme.epoch && phase != .stopped
    }
  }

  /// Begins a programme. `keepsPause`: stays paused, because the listener did not request the programme.
  func begin(_ request: StationRequest, keepsPause: Bool = false) {
    let staysPaused = keepsPause && phase == .paused
    output.reportAbsence()
    account()
    endRecordedProgramme(.tuned)
    programme.begin(at: engine.now, underruns: engine.underruns)
    recorder.programmeBegins(programme.epoch)
    items.queue.begin(request)
    engine.begin(
      request, programme.epoch, isPaused: output.isSuspended || staysPaused, limit: settings.duration,
      hold: settings.hold)
    perform(transport.begin(at: request.start, keepsPause: keepsPause, look))
  }

  func begin(item number: Int, keepsPause: Bool) -> Bool {
    guard let next = items.request(for: number) else { return false }
    begin(next, keepsPause: keepsPause)
    items.queue.recordArrival(at: number)
    return true
  }

  func stop(_ reason: Event.StopReason) {
    guard phase != .stopped else { return }
    account()
    let failure = reason == .error ? programme.failure?.sentence ?? output.sinkFailure?.description : nil
    endRecordedProgramme(failure.map { RecordingError($0) })
    engine.endProgramme()
    transport.stop()
    if reason != .error { programme.forgetFault() }
    emit(.stopped(reason))
  }

  func use(_ settings: RadioSettings) {
    let (old, isHoldNew) = (self.settings, settings.hold != self.settings.hold)
    self.settings = settings
    transport.rules = settings.rules
    if isHoldNew { engine.use(settings.hold, for: phase == .stopped ? nil : programme) }
    let aim = engine.addingReaderDelay(settings.waitLive)
    if old.waitLive != settings.waitLive, engine.driftAim > .zero { engine.driftAim = aim }
  }

  func order(_ decide: (inout Transport, ProgrammeSnapshot) -> [Transport.Action]) { perform(decide(&transport, look)) }

  /// Performs the transport's decision and returns the seek's outcome.
  func go(_ decide: (inout Transport, ProgrammeSnapshot) -> [Transport.Action]) -> SeekPlan {
    let look = self.look
    let actions = decide(&transport, look)
    perform(actions)
    return SeekPlan(actions, look)
  }

  private func account() {
    guard programme.claimAccount() else { return }
    journal.account(heard: heardSeconds - programme.playedBefore, byteCount: engine.blocks.byteCount.value)
  }

  private func endRecordedProgramme(_ reason: RecordingError?) {
    if recorder.isActive { journal.emit(recorder.programmeEnds(recordingContext, reason)) }
  }

  private func perform(_ actions: [Transport.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: Transport.Action) {
    switch action {
    case .emit(let event): emit(event)
    case .pause(let isPaused):
      if !isPaused, phase != .stopped { expectSound() }
      engine.pause(isPaused)
    case .leave(let place): leave(for: place)
    case .leap: programme.leap()
    case .holdDistance, .seek, .wakeRenderThread, .rest, .connectAgain, .refuse: engine.apply(action)
    }
  }

  private func expectSound() { expecting = engine.now + Duration(milliseconds: 3_000) }
  /// Seeks to an unbuffered position of a file or an HLS window: drops the buffer and downloads from there.
  private func leave(for place: StreamTime) {
    guard let reach = look.reach, var again = items.queue.request else { return }
    let (base, requested) = (items.queue.base, place - items.queue.base)
    let target = max(reach.lowerBound, min(place, reach.upperBound)) - base
    again.start = target
    account()
    endRecordedProgramme(.tuned)
    programme.leave(heard: heardSeconds, underruns: engine.underruns)
    recorder.programmeBegins(programme.epoch)
    let left = settings.duration.map { max(.zero, $0 - StreamTime(seconds: programme.playedBefore)) }
    engine.beginAgain(again, programme.epoch, number: items.queue.fileNumber, limit: left)
    if programme.window == nil { programme.leap(by: base) } else { programme.forgetTitles(from: target) }
    items.queue.restart()
    arrangeFollower()
    perform(transport.leave(requested, for: target, look))
  }

  func pauseForDevice() {
    perform(transport.interrupt(look))
    engine.pause(true)
  }

  func resumeForDevice() { perform(transport.interruptionEnds(look)) }
  func goBackToHeard() { perform(transport.repeatUnplayed(look)) }
  func slept(_ sleep: Duration) { transport.slept(sleep) }
  func sinkFailedForGood() { stop(.error) }

  func decodeAnew(from place: StreamTime) {
    perform(transport.goBack(to: place))
    engine.wakeRenderThread()
  }

  func connectAfterSleep() {
    closeLongPause()
    if phase != .stopped, !transport.isResting { engine.renewConnections() }
  }

  // MARK: Notices

  func process(_ notice: NetNotice, of epoch: UInt32) {
    guard epoch == programme.epoch, phase != .stopped else { return }
    switch notice {
    case .connecting(let url):
      guard !transport.hasPlayed else { return }
      transport.connecting()
      emit(.connecting(url: url))
    case .connected(let facts): connected(facts)
    case .resumed:
      transport.connection(isLost: false)
      programme.isBack()
      journal.countReconnect()
      emitInfo()
    case .lost: transport.connection(isLost: true)
    case .readThrough(let url, let host): journal.emit(programme.isReadThrough(url, of: host))
    case .listed: processOpenedList()
    case .followed(let facts, let place, let token):
      // The previous file is complete, so the connection no longer matters to it.
      transport.connection(isLost: false)
      programme.isBack()
      if let item = items.queue.appendFollower(facts, at: place, token: token) { addItemTitle(item, at: place.border) }
      arrangeFollower()
    case .placed(let further): items.queue.correct(by: further)
    case .window(let window): programme.learn(window)
    case .length(let length): programme.learn { items.queue.updateLength(length, of: &$0) }
    case .title(let text, let url, let at): journal.emit(programme.add(Title(text, url: url), at: at))
    case .externalTitle(let title, let at): journal.emit(programme.add(external: Title(title), at: at))
    case .reconnecting(let attempt, let delay, let reason):
      programme.reconnects(attempt, reason)
      engine.refillHold = settings.hold.restart(isLive: programme.mayBeLive)
      emit(.reconnecting(attempt: attempt, delay: delay.seconds, reason: reason.sentence, held: held))
    case .stitched(let stitch):
      transport.connection(isLost: false)
      journal.emit(programme.joined(stitch))
      perform(transport.stillPaused)
    case .fault(let fault, let isFinal): recordFault(fault, isFinal: isFinal)
    case .full: perform(transport.rest(look))
    case .complete: break
    }
  }

  private func connected(_ facts: StationFacts) {
    let (turnedOutFile, wasTried) = programme.connected(facts)
    if turnedOutFile {
      // A complete programme (R1.5) has no distance from live to keep.
      engine.driftAim = .zero
      engine.keepDistance(false)
      items.queue.treatAsFile()
    }
    transport.connected(turnedOutFile: turnedOutFile, look)
    if !transport.hasPlayed || turnedOutFile, !facts.isLive, let item = facts.item ?? items.queue.item {
      guard emitUnlessInterrupted(telling: items.recordArrival(at: item, facts)) else { return }
      addItemTitle(item, at: .zero)
    }
    if wasTried, facts.isLive {
      programme.rejoins(true)
    } else if transport.isFlowing || !facts.isLive && !transport.hasPlayed {
      // A file's first seconds may have played, and starved, before it was recognized as a file.
      setRefill()
    }
    if !transport.hasPlayed, facts.isLive, steers { engine.driftAim = engine.addingReaderDelay(settings.waitLive) }
    engine.gatherBeforeStart(settings.hold.start(isLive: programme.mayBeLive))
    guard emitUnlessInterrupted(telling: programme.info(measured: engine.blocks.bitRate)) else { return }
    perform(transport.gathers(look))
    arrangeFollower()
  }

  /// Sets the duration to buffer after starvation, once the connection is open.
  private func setRefill() {
    programme.rejoins(false)
    engine.refillHold = settings.hold.refill(isLive: programme.mayBeLive)
  }

  private func recordFault(_ fault: PlaybackFault, isFinal: Bool, isHeard: Bool = true) {
    programme.meets(fault)
    guard emitUnlessInterrupted(telling: fault.events), isFinal else { return }
    programme.isGivenUp()
    transport.connection(isLost: false)
    // The audio received before the fault plays to its end first.
    if programme.facts == nil || !isHeard, !skipItem(after: fault) { stop(.error) }
  }

  func process(_ notice: DecodeNotice, of epoch: UInt32) {
    guard epoch == programme.epoch, phase != .stopped else { return }
    switch notice {
    case .format:
      guard programme.isNew(notice) else { return }
      expectSound()
      emitInfo()
    case .flowing:
      expectSound()
      perform(transport.flows())
      // During a reconnection, one second is enough to resume.
      if programme.attempt == 0 { setRefill() }
    case .sought(let at, let number): found(at, number)
    case .leapt(let from, let to, let number): found(to, number, from: from)
    case .undecodable: recordFault(programme.undecodable(items.queue.request), isFinal: true, isHeard: false)
    case .starved:
      let isStarved = transport.starved(at: engine.now)
      guard isStarved, emitUnlessInterrupted(telling: [.queueExhausted(held: held, count: engine.underruns)]) else {
        return
      }
      emit(.buffering(held: held, target: engine.refillHold.seconds))
    }
  }

  private func found(_ place: StreamTime, _ number: UInt32, from: StreamTime? = nil) {
    if number == transport.seek { expectSound() }
    perform(transport.found(place, number, from: from, look))
  }

  private func emitInfo() { journal.emit(programme.info(measured: engine.blocks.bitRate, look)) }

  // MARK: Iterations

  /// Handles the sink, the audible position and pending work. `finishedEpoch`: the programme whose last frame was
  /// played. It was read before the notices, and is nil if more notices may wait.
  func attend(finishedEpoch: UInt32?) {
    if output.attend() { expecting = .zero }
    attendSound(finishedEpoch)
    closeLongPause()
    // After a reconnection, the larger refill applies again once this amount is buffered.
    if programme.isRejoining, held >= engine.addingReaderDelay(settings.hold.refill(isLive: true)).seconds {
      setRefill()
    }
  }

  private func closeLongPause() { if !output.hasSlept { perform(transport.due(look)) } }

  private func attendSound(_ finishedEpoch: UInt32?) {
    // Playback may have started after the notices were read; the next iteration has the facts.
    guard phase != .stopped, programme.facts != nil else { return }
    if programme.isLate(engine.underruns) { emit(.underrun(held: held, count: engine.underruns)) }
    if let heard = engine.audiblePosition(of: programme.epoch) {
      transport.recordPosition(heard)
      updateDriftAim()
      let sounds = !transport.hasPlayed && transport.isFlowing || engine.isSounding
      if phase == .buffering || phase == .connecting, sounds { reportStart() }
      advance()
      if phase != .stopped { journal.emit(programme.removeAudibleTitles(at: position, base: items.queue.base)) }
    }
    if finishedEpoch == programme.epoch { processEnd() }
  }

  private var steers: Bool { items.queue.request?.isSteered ?? steersUsually }

  private func updateDriftAim() {
    guard steers, transport.isAtLive else { return }
    let (held, since) = (transport.buffered(look), engine.now - engine.firstSound)
    let aim = programme.aim(wait: engine.addingReaderDelay(settings.waitLive), held: held, sinceFirstSound: since)
    if let aim { engine.driftAim = max(engine.driftAim, aim) }
  }

  private func reportStart() {
    let latency = transport.sounds(at: engine.now) ?? (engine.firstSound - programme.tuned).seconds
    expecting = .zero
    emit(.playing(station: name, latency: latency, behindLive: programme.facts?.isLive == true ? held : nil))
  }

  private func processEnd() {
    if let failure = programme.failure {
      programme.standsStill()
      return skipItem(after: failure) ? () : stop(.error)
    }
    // True if the requested duration was played, to within a frame.
    let isCut = settings.duration.map { heardSeconds > $0.seconds - 1 / 8_000 } ?? false
    if programme.facts?.isLive == true || isCut { return stop(.end) }
    guard emitUnlessInterrupted(telling: [.fileComplete(heard: heardSeconds - items.queue.heardBefore)]) else { return }
    if let item = items.queue.item, begin(item: item + 1, keepsPause: true) { return }
    stop(.end)
  }

  // MARK: Lists and successors

  /// Plays one episode of a podcast; of other lists, the net thread tries the entries.
  private func processOpenedList() {
    guard let episode = items.processOpenedList() else { return }
    let asked = programme.tuned
    guard begin(item: episode, keepsPause: true) else { return stop(.error) }
    programme.wasAsked(at: asked)
  }

  private func addItemTitle(_ number: Int, at time: StreamTime) {
    if let title = items.title(of: number) { journal.emit(programme.add(title, at: time)) }
  }

  /// Plays the item after a failed one; returns false if no item follows, or if the fault concerns more than the item.
  private func skipItem(after fault: PlaybackFault) -> Bool {
    items.successor(after: fault).map { begin(item: $0, keepsPause: true) } ?? false
  }

  func arrangeFollower() {
    if programme.facts?.isLive == false, phase != .stopped { items.arrangeFollower() }
  }

  private func advance() {
    while let border = items.queue.border, !transport.isSeeking, position >= border {
      let heard = heardSeconds - (position - border).seconds
      // The file's last title may not be reported yet.
      let last = programme.removeAudibleTitles(at: StreamTime(ticks: border.ticks - 1), base: items.queue.base)
      guard emitUnlessInterrupted(telling: last + [.fileComplete(heard: heard - items.queue.heardBefore)]) else {
        return
      }
      // If the next file in the ring was replaced, the program tunes to the other successor after the stop.
      guard let told = items.advance(heard: heard, &programme) else { return stop(.end) }
      guard emitUnlessInterrupted(telling: told + programme.info(measured: engine.blocks.bitRate)) else { return }
      emit(.playing(station: name, latency: 0, behindLive: nil))
      arrangeFollower()
    }
  }
}
