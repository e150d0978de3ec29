import Network
import Recordings
import Units

/// The programme from the request to its end: carries out the decisions of `Transport` and `ItemQueue`. Control thread
/// only.
///
/// `NoticeReceiver` applies the threads' notices, `AudibleProgress` follows the audible position. `OutputKeeper`
/// carries out the decisions of `OutputSupervisor`.
final class Playback {
  var programme = Programme()
  var transport: Transport
  let items: ItemPlayer
  /// Created at once, because it measures the machine's sleep.
  private(set) lazy var output = OutputKeeper(engine, for: self)
  private(set) var settings: RadioSettings
  private let engine: any EngineControl
  private let steersUsually: Bool
  private let recorder: Recorder
  private let journal: Journal
  /// The reason for the last stop; nil before the first.
  private(set) var stopReason: Event.StopReason?
  private var expecting = MonotonicTime.zero
  /// The listener's gain factor.
  var loudness = 1.0 { didSet { applyGain() } }
  /// True while an announced ad is lowered.
  private var isLowered = false

  init(
    _ settings: RadioSettings, _ engine: any EngineControl, _ recorder: Recorder, _ journal: Journal, steers: Bool
  ) {
    self.settings = settings
    self.engine = engine
    self.recorder = recorder
    self.journal = journal
    items = ItemPlayer(engine, playsWhole: settings.duration == nil)
    steersUsually = settings.steers ?? steers
    transport = Transport(settings.rules)
    _ = output
  }

  // MARK: Facts

  /// The radio's state. A lost connection does not change this state.
  var phase: RadioState { transport.phase }

  /// True while the render thread is about to start or to need a format. The control thread must then poll.
  var expectsSound: Bool { engine.now < expecting }

  var look: ProgrammeSnapshot {
    var look = engine.snapshot(at: programme.epoch)
    (look.facts, look.base, look.border) = (programme.facts, base(from: look.start), items.queue.border)
    (look.isSuspended, look.isRecorded, look.window) = (output.isSuspended, recorder.isBusy, programme.window)
    return look
  }

  /// Programme time of the audible file's first moment. A station that was received in advance begins with its oldest
  /// audio, at `start`.
  func base(from start: StreamTime) -> StreamTime {
    let isStation = programme.facts?.isLive == true && programme.window == nil
    return isStation ? max(items.queue.base, start) : items.queue.base
  }

  var position: StreamTime { transport.position(look) }

  /// Buffered seconds that are not yet audible.
  var held: Double { transport.buffered(look).seconds }

  var heardSeconds: Double {
    programme.playedBefore + (engine.audiblePosition(of: programme.epoch)?.played.seconds ?? 0)
  }

  var name: String { items.name(programme.facts) }

  /// True if the buffer of the current request stays constant (`RadioSettings.steers`).
  var steers: Bool { items.queue.request?.isSteered ?? steersUsually }

  var recordingContext: RecordingContext {
    RecordingContext(
      epoch: programme.epoch, isPlaying: phase != .stopped, titles: programme.titles,
      station: programme.facts.map { $0.name ?? $0.url }, position: position)
  }

  // MARK: Events

  func emit(_ event: Event) { journal.emit(event) }

  /// Reports events; returns false if an observer tuned or stopped, which makes later steps obsolete.
  func emitUnlessInterrupted(telling events: [Event]) -> Bool {
    let epoch = programme.epoch
    return events.allSatisfy { event in
      emit(event)
      return epoch == programme.epoch && phase != .stopped
    }
  }

  func emitInfo() { journal.emit(programme.info(measured: engine.blocks.bitRate, look)) }

  // MARK: Programmes

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

  /// Plays the item after a failed one; returns false if no item follows, or if the fault concerns more than the item.
  func skipItem(after fault: PlaybackFault) -> Bool {
    items.successor(after: fault).map { begin(item: $0, keepsPause: true) } ?? false
  }

  func arrangeFollower() {
    if programme.facts?.isLive == false, phase != .stopped { items.arrangeFollower() }
  }

  func stop(_ reason: Event.StopReason) {
    guard phase != .stopped else { return }
    account()
    let failure = reason == .error ? programme.failure?.sentence ?? output.sinkFailure?.description : nil
    endRecordedProgramme(failure.map { RecordingError($0) })
    engine.endProgramme()
    transport.stop()
    stopReason = reason
    if reason != .error { programme.fault = nil }
    emit(.stopped(reason))
  }

  private func account() {
    guard programme.claimAccount() else { return }
    journal.account(heard: heardSeconds - programme.playedBefore, byteCount: engine.blocks.byteCount.value)
  }

  private func endRecordedProgramme(_ reason: RecordingError?) {
    if recorder.isActive { journal.emit(recorder.programmeEnds(recordingContext, reason)) }
  }

  // MARK: Decisions and actions

  func order(_ decide: (inout Transport, ProgrammeSnapshot) -> [TransportAction]) { perform(decide(&transport, look)) }

  /// Performs the transport's decision and returns the seek's outcome.
  func go(_ decide: (inout Transport, ProgrammeSnapshot) -> [TransportAction]) -> SeekPlan {
    let look = self.look
    let actions = decide(&transport, look)
    perform(actions)
    return SeekPlan(actions, look)
  }

  func perform(_ actions: [TransportAction]) { for action in actions { perform(action) } }

  private func perform(_ action: TransportAction) {
    switch action {
    case .emit(let event): emit(event)
    case .pause(let isPaused):
      if !isPaused, phase != .stopped { expectSound() }
      engine.pause(isPaused)
    case .holdDistance(let isKept): engine.keepDistance(isKept)
    case .seek(let place, let number, let isExact): engine.seek(to: place, number: number, isExact: isExact)
    case .leave(let place): leave(for: place)
    case .refuse: break
    case .wakeRenderThread: engine.wakeRenderThread()
    case .rest: engine.closeConnection()
    case .connectAgain: engine.reconnect()
    case .leap: programme.titles.leap()
    }
  }

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
    if programme.window == nil { programme.titles.leap(by: base) } else { programme.forgetTitles(from: target) }
    items.queue.restart()
    arrangeFollower()
    perform(transport.leave(requested, for: target, look))
  }

  func expectSound() { expecting = engine.now + Duration(milliseconds: 3_000) }

  func stopExpectingSound() { expecting = .zero }

  // MARK: Loudness

  /// Lowers an announced ad by 12 dB if the settings demand it, and ends this after the ad.
  func attendAds() {
    let lowers = settings.lowersAds && phase != .stopped && programme.ads.current != nil
    guard lowers != isLowered else { return }
    isLowered = lowers
    applyGain()
  }

  private func applyGain() { engine.setGain(Gain.fixed(isLowered ? loudness * Self.adFactor : loudness)) }

  /// -12 dB.
  private static let adFactor = power(10, -12 / 20)

  // MARK: The buffer's rules

  func use(_ settings: RadioSettings) {
    let old = self.settings
    self.settings = settings
    transport.rules = settings.rules
    if settings.hold != old.hold { applyHold() }
    if settings.secondSource != old.secondSource { engine.use(settings.secondSource ?? SecondSourceRule()) }
    let aim = engine.addingReaderDelay(settings.waitLive)
    if old.waitLive != settings.waitLive, engine.driftAim > .zero { engine.driftAim = aim }
  }

  /// Applies the rule at once, also to a programme that is prebuffering.
  private func applyHold() {
    engine.use(settings.hold)
    guard phase != .stopped else { return }
    engine.refillHold = programme.refill(settings.hold)
    // This wakes the decode thread, which reads both values.
    engine.gatherBeforeStart(settings.hold.start(isLive: programme.mayBeLive))
  }

  /// Sets the duration to buffer after starvation, once the connection is open.
  func setRefill() {
    programme.isRejoining = false
    engine.refillHold = settings.hold.refill(isLive: programme.mayBeLive)
  }

  // MARK: Iterations

  func attendOutput() { if output.attend() { stopExpectingSound() } }

  func closeLongPause() { if phase == .paused, !output.hasSlept { perform(transport.due(look)) } }

  /// Restores the larger refill after a reconnection, once this amount is buffered.
  func attendRefill() {
    if programme.isRejoining, held >= engine.addingReaderDelay(settings.hold.refill(isLive: true)).seconds {
      setRefill()
    }
  }

  /// Replaces the connections after a sleep of the machine, unless the pause was long enough to close them.
  func connectAfterSleep() {
    closeLongPause()
    if phase != .stopped, !transport.isResting { engine.renewConnections() }
  }
}
