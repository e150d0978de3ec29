import AudioOutput
import Framing
import Network
import Units

/// An internet radio: tuned to a station, it plays to a sink and tells what happens.
///
/// The thread that owns a radio is its control thread: it calls `step` over and over, and every event comes from
/// within. Behind it a net, a decode and a render thread work in memory that was reserved when the radio was made.
public final class Radio {
  /// Hears every event, with the seconds since the radio was made; called from within `tune`, `stop` and `step`.
  public var onEvent: (_ event: Event, _ time: Double) -> Void = { _, _ in }
  /// Seconds since the radio was made.
  public var time: Double { (now - made).seconds }
  /// The run in figures so far.
  public internal(set) var summary = Summary()
  /// Why the radio gave a station up, until it is tuned again.
  public internal(set) var failure: Trouble?
  /// What keeps the station from coming now, or made the radio give it up; nil while it comes, and while it is asked
  /// for the first time.
  public internal(set) var trouble: Trouble?

  let engine: any EngineControl
  let monitor: Monitor
  private let steersUsually: Bool
  let settings: RadioSettings
  /// What is recorded and kept of what comes.
  let recorder: Recorder
  private let made: MonotonicTime

  var epoch: UInt32 = 0
  var tuned = MonotonicTime.zero
  var facts: StationFacts?
  var format: DecodeNotice?
  var titles = TitleLog()
  var attempt = 0
  var seenUnderruns = 0
  /// Seconds of the file that were heard before the last seek beyond what was held.
  var heardBefore = 0.0
  /// What is tuned to, and what follows.
  var queue = ItemQueue()
  /// The list that was opened last for this station; nil where none was.
  public var list: FileList? { queue.list }
  /// Which of its items is heard, or asked for; nil where that is not known.
  public var item: Int? { queue.item }
  /// What is played when a file that is in no list, or the last of its list, is over, in the same breath if it is a
  /// file too; whoever sets it is told by `followed`, or tunes to it after the end.
  public var follower: StationRequest? {
    get { queue.follower }
    set {
      queue.follower = newValue
      arrangeFollower()
    }
  }
  /// Chooses which episode of a podcast is played first; the first of its list unless somebody does.
  public var chooseItem: (FileList) -> Int = { _ in 0 }
  /// Tells where an item is begun, in seconds; a file's beginning unless somebody does.
  public var startOfItem: (FileList.Item) -> Double = { _ in 0 }
  /// What runs, and where the listener is.
  var transport: Transport
  /// The sink, and who has it.
  private(set) lazy var output = OutputKeeper(engine, for: self)
  var watch = HeldSoundWatch()
  /// Whether a station is back of which no refill has come yet: should all that is held be played, the short hold of a
  /// reconnect still applies.
  var isRejoining = false
  /// Until then the render thread is looked at often: it is about to begin, or to ask for another format.
  var expecting = MonotonicTime.zero

  /// A radio that plays to `output`; its memory is reserved and its threads run.
  public convenience init(_ settings: RadioSettings, _ output: OutputRequest) throws(RadioError) {
    self.init(settings, try Engine(settings, output), steers: output.isCard)
  }

  /// A radio over threads that run, or what stands for them. `steers` says whether it steers where the settings do not.
  init(_ settings: RadioSettings, _ engine: any EngineControl, steers: Bool = false) {
    self.settings = settings
    self.engine = engine
    made = engine.now
    transport = Transport(
      Transport.Rules(safety: settings.safety, hold: settings.hold, pauseTimeout: settings.pauseTimeout))
    steersUsually = settings.steers ?? steers
    monitor = Monitor(engine)
    recorder = Recorder(engine, settings.recording)
    engine.setGain(settings.gain)
    // It is made with the radio, since it looks how long the machine has slept.
    _ = output
  }

  var now: MonotonicTime { engine.now }

  /// A descriptor that can be read when `step` has something to do.
  public var descriptor: Int32 { engine.descriptor }

  /// Whether the render thread runs under SCHED_FIFO.
  public var isRealtime: Bool { engine.isRealtime }

  /// Grows when the machine's network is another: a link, an address, a route or a name server came. `descriptor` can
  /// be read then.
  public var networkChanges: UInt32 { engine.networkChanges }

  /// Whether the memory is locked.
  public var isLocked: Bool { engine.isLocked }

  // MARK: Orders

  /// Leaves what is heard, and plays a station or a file.
  public func tune(_ request: StationRequest) {
    queue.tune(request)
    begin(request)
  }

  /// Begins a programme. Where the listener did not ask for it, a pause stays (`keepsPause`).
  func begin(_ request: StationRequest, keepsPause: Bool = false) {
    let staysPaused = keepsPause && phase == .paused
    output.tellAbsence()
    account()
    leaveRecorded(.tuned)
    epoch &+= 1
    recorder.programmeBegins(epoch)
    queue.begin(request)
    tuned = now
    (facts, format) = (nil, nil)
    (failure, trouble) = (nil, nil)
    attempt = 0
    isRejoining = false
    titles = TitleLog()
    heardBefore = 0
    seenUnderruns = engine.underruns
    engine.begin(
      request, epoch, isPaused: isSuspended || staysPaused, limit: settings.duration, hold: settings.hold)
    perform(transport.begin(at: request.start, keepsPause: keepsPause, look))
  }

  /// Chooses what `play` tunes to; what is heard goes on (R1.6).
  public func select(_ request: StationRequest) { queue.select(request) }

  /// Goes on after a pause; else plays what was selected, or what was tuned to last. False where there is neither.
  @discardableResult
  public func play() -> Bool {
    if phase == .paused, !queue.hasSelected {
      resume()
      return true
    }
    guard let next = queue.chosen else { return false }
    tune(next)
    return true
  }

  /// Falls silent and disconnects.
  public func stop(_ reason: Event.StopReason = .user) {
    guard phase != .stopped else { return }
    account()
    leaveRecorded(reason == .error ? (failure?.message ?? sinkFailure?.description).map { RecordingError($0) } : nil)
    engine.endProgramme()
    transport.stop()
    if reason != .error { trouble = nil }
    tell(.stopped(reason))
  }

  /// Ends the threads and closes the sink; the last call. Gives the whole run in figures, and a second time the same.
  public func close() -> Summary {
    guard !isClosed else { return summary }
    isClosed = true
    stop()
    finishRecording()
    engine.stop()
    output.tellTaps()
    summary.underruns = engine.underruns
    summary.xruns = engine.xruns
    tell(.summary(summary))
    return summary
  }

  /// Adds what the programme gave to the run's figures.
  func account() {
    guard phase != .stopped || epoch > 0, accounted != epoch else { return }
    accounted = epoch
    summary.heard += heardSeconds - heardBefore
    summary.bytes += engine.blocks.byteCount.value
  }

  private var accounted: UInt32 = 0
  private var isClosed = false

  var heardSeconds: Double {
    heardBefore + (engine.heard(of: epoch)?.played.seconds ?? 0)
  }

  // MARK: Time

  /// Waits up to `timeout` for something to happen, then sees to all that happened. A descriptor of the caller's that
  /// can be read ends the wait too.
  public func step(_ timeout: MonotonicTime, watching other: Int32 = -1) {
    let wait = min(timeout, patience)
    engine.wait(wait, watching: other)
    // Looked at before the titles that belong to it.
    let written = engine.blocks.written
    // Looked at before what led up to it.
    let finishedEpoch = engine.finishedEpoch
    hearNotices()
    if output.attend() { expecting = .zero }
    attendSound(finishedEpoch: finishedEpoch)
    attendPause()
    attendRejoining()
    attendHeldSound()
    monitor.attend(at: now)
    attendRecording(upTo: written)
    summary.rssAnonPeak = max(summary.rssAnonPeak, rssWhenDue())
  }

  /// Hears what the net and decode threads told, or as much of it as one step may take.
  private func hearNotices() {
    var left = Self.mostNotices
    while left > 0,
      engine.nextNetNotice({ epoch, notice in if epoch == self.epoch { hear(notice) } })
    { left -= 1 }
    isBehind = left == 0
    left = Self.mostNotices
    while left > 0,
      engine.nextDecodeNotice({ epoch, notice in if epoch == self.epoch { hear(notice) } })
    { left -= 1 }
    isBehind = isBehind || left == 0
  }

  /// So many notices of a thread are heard in one step, so that no station holds the control thread.
  private static let mostNotices = 64
  /// Whether more of them may wait.
  private var isBehind = false

  /// How long nothing can become due.
  private var patience: MonotonicTime {
    if isBehind { return .zero }
    if now < expecting { return MonotonicTime(milliseconds: 2) }
    if engine.needsFormat { return MonotonicTime(milliseconds: 20) }
    let most = min(output.patience, MonotonicTime(milliseconds: recorder.isBusy ? 200 : 500))
    if recorder.isBusy || isSuspended { return most }
    // The card's last 200 ms are not told one by one.
    let written = engine.blocks.written
    let end = engine.hasReceivedAll(of: epoch) ? written - StreamTime(seconds: 0.3) : nil
    guard let next = [titles.next(after: position), queue.border, end].compactMap({ $0 }).min(),
      phase == .playing
    else {
      return most
    }
    return MonotonicTime(seconds: max(0.02, (next - position).seconds))
  }

  /// Anonymous memory of this process, in KiB.
  public var residentKibibytes: Int { engine.residentKibibytes }

  private var nextRss = MonotonicTime.zero

  private func rssWhenDue() -> Int {
    guard now >= nextRss else { return 0 }
    nextRss = now + MonotonicTime(milliseconds: 5_000)
    return engine.residentKibibytes
  }

  /// What is heard now, and what comes of it.
  private func attendSound(finishedEpoch: UInt32) {
    // What is sounding already may have begun after its station's facts were looked for; they are there next time.
    guard phase != .stopped, facts != nil else { return }
    let underruns = engine.underruns
    if underruns != seenUnderruns {
      seenUnderruns = underruns
      tell(.underrun(held: held, count: underruns))
    }
    if let heard = engine.heard(of: epoch) {
      transport.hears(heard)
      follow()
    }
    if finishedEpoch == epoch, !isBehind { finished() }
  }

  /// The programme sounds.
  private func follow() {
    aim()
    if phase == .buffering || phase == .connecting, isSounding { began() }
    advance()
    for title in titles.heard(at: position) {
      summary.titles += 1
      tell(.metadataChanged(title.title, at: (title.at - queue.base).seconds))
    }
  }

  /// Whether the station is steered if it is live.
  var steers: Bool { queue.request?.isSteered ?? steersUsually }

  /// A live station is held at its distance from live: the wait time, or its burst where that is more.
  private func aim() {
    guard steers, facts?.isLive == true, transport.isAtLive, now - engine.firstSound < Self.burstTime else { return }
    engine.driftAim = max(engine.driftAim, settings.waitLive, StreamTime(seconds: held))
  }

  /// So long after the first sound a burst may still come in.
  private static let burstTime = MonotonicTime(milliseconds: 5_000)

  private var isSounding: Bool { !transport.hasPlayed && transport.isFlowing || engine.isSounding }

  private func began() {
    let latency = transport.sounds(at: now) ?? (engine.firstSound - tuned).seconds
    expecting = .zero
    tell(.playing(station: name, latency: latency, behindLive: facts?.isLive == true ? held : nil))
  }

  private func finished() {
    if let failure {
      trouble = failure
      return skipItem(after: failure) ? () : stop(.error)
    }
    if facts?.isLive == true || isCut { return stop(.end) }
    tell(.fileComplete(heard: heardSeconds - queue.heardBefore))
    if let item, goOn(toItem: item + 1) { return }
    stop(.end)
  }

  /// Whether the programme was played for as long as was asked for, to within a frame.
  private var isCut: Bool {
    guard let duration = settings.duration else { return false }
    return heardSeconds > duration.seconds - 1 / 8_000
  }

  func tell(_ event: Event) { onEvent(event, time) }
}
