import AudioOutput
import Blocks
import CLinux
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
  /// What the radio does.
  public private(set) var state = RadioState.stopped
  /// The run in figures so far.
  public private(set) var summary = Summary()
  /// Why the radio gave a station up, until it is tuned again.
  public private(set) var failure: Trouble?
  /// Why the sink failed for good.
  public private(set) var sinkFailure: SinkError?

  private let engine: Engine
  private let settings: RadioSettings
  private let made = MonotonicTime(nanoseconds: bk_monotonic_ns())

  private var epoch: UInt32 = 0
  private var request: StationRequest?
  private var selected: StationRequest?
  private var tuned = MonotonicTime.zero
  private var facts: StationFacts?
  private var format: DecodeNotice?
  private var titles = TitleLog()
  private var seenUnderruns: Int64 = 0
  private var hasPlayed = false
  /// Until then the render thread is looked at often: it is about to begin, or to ask for another format.
  private var expecting = MonotonicTime.zero

  /// A radio that plays to `output`; its memory is reserved and its threads run.
  public init(_ settings: RadioSettings, _ output: OutputRequest) throws(RadioError) {
    self.settings = settings
    engine = try Engine(settings, output)
    engine.board.pointee.gain.store(settings.gain, ordering: .relaxed)
    engine.board.pointee.limit.store(settings.duration?.ticks ?? .max, ordering: .relaxed)
  }

  private var now: MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns()) }

  /// A descriptor that can be read when `step` has something to do.
  public var descriptor: Int32 { engine.notified }

  /// Whether the render thread runs under SCHED_FIFO.
  public var isRealtime: Bool { engine.render.isRealtime }

  /// Whether the memory is locked.
  public var isLocked: Bool { engine.arena.isLocked }

  // MARK: Orders

  /// Leaves what is heard, and plays a station or a file.
  public func tune(_ request: StationRequest) {
    account()
    epoch &+= 1
    self.request = request
    selected = nil
    tuned = now
    facts = nil
    format = nil
    failure = nil
    hasPlayed = false
    titles = TitleLog()
    seenUnderruns = engine.board.pointee.underruns.load(ordering: .acquiring)
    engine.board.pointee.startHold.store(settings.startLive.ticks, ordering: .relaxed)
    engine.board.pointee.refillHold.store(settings.refill.ticks, ordering: .relaxed)
    engine.board.pointee.wantedEpoch.store(epoch, ordering: .releasing)
    engine.net.tune(request, epoch: epoch)
    engine.decode.call()
    state = .connecting
  }

  /// Chooses what `play` tunes to; what is heard goes on (R1.6).
  public func select(_ request: StationRequest) { selected = request }

  /// Plays what was selected, else what was tuned to last; false where there is neither.
  @discardableResult
  public func play() -> Bool {
    guard let next = selected ?? request else { return false }
    tune(next)
    return true
  }

  /// Falls silent and disconnects.
  public func stop(_ reason: Event.StopReason = .user) {
    guard state != .stopped else { return }
    account()
    engine.net.stop()
    engine.board.pointee.wantedEpoch.store(0, ordering: .releasing)
    engine.decode.call()
    state = .stopped
    tell(.stopped(reason))
  }

  /// Ends the threads and closes the sink; the last call. Gives the whole run in figures, and a second time the same.
  public func close() -> Summary {
    guard !isClosed else { return summary }
    isClosed = true
    stop()
    engine.stop()
    summary.underruns = Int(engine.board.pointee.underruns.load(ordering: .acquiring))
    summary.xruns = Int(engine.board.pointee.xruns.load(ordering: .acquiring))
    tell(.summary(summary))
    return summary
  }

  /// Adds what the programme gave to the run's figures.
  private func account() {
    guard state != .stopped || epoch > 0, accounted != epoch else { return }
    accounted = epoch
    summary.heard += heardSeconds
    summary.bytes += engine.ring.pointee.statistics.byteCount.value
  }

  private var accounted: UInt32 = 0
  private var isClosed = false

  private var heardSeconds: Double {
    guard engine.board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return 0 }
    return StreamTime(ticks: engine.board.pointee.playedTicks.load(ordering: .relaxed)).seconds
  }

  // MARK: Time

  /// Waits up to `timeout` for something to happen, then sees to all that happened.
  public func step(_ timeout: MonotonicTime) {
    let wait = min(timeout, patience)
    if bk_wait_readable(engine.notified, wait.milliseconds) > 0 { bk_event_clear(engine.notified) }
    while engine.netNotices.pointee.next({ kind, payload in
      if let (epoch, notice) = NetNotice.decode(kind: kind, payload), epoch == self.epoch { hear(notice) }
    }) {}
    while engine.decodeNotices.pointee.next({ kind, payload in
      if let (epoch, notice) = DecodeNotice.decode(kind: kind, payload), epoch == self.epoch { hear(notice) }
    }) {}
    attendSink()
    attendSound()
    summary.rssAnonPeak = max(summary.rssAnonPeak, rssWhenDue())
  }

  /// How long nothing can become due.
  private var patience: MonotonicTime {
    if now < expecting { return MonotonicTime(milliseconds: 2) }
    // The card's last 200 ms are not told one by one.
    let written = engine.ring.pointee.statistics.written
    let end = engine.ring.pointee.hasEnded(epoch) ? written - StreamTime(seconds: 0.3) : nil
    guard let next = [titles.next, end].compactMap({ $0 }).min(), state == .playing else {
      return MonotonicTime(milliseconds: 500)
    }
    let heard = StreamTime(ticks: engine.board.pointee.heard.load(ordering: .relaxed))
    return MonotonicTime(seconds: max(0.02, (next - heard).seconds))
  }

  private var nextRss = MonotonicTime.zero

  private func rssWhenDue() -> Int {
    guard now >= nextRss else { return 0 }
    nextRss = now + MonotonicTime(milliseconds: 5_000)
    return bk_rss_anon_kib()
  }

  /// Sets the sink for another format, and notices its end.
  private func attendSink() {
    if engine.render.state == .needsFormat {
      do throws(SinkError) {
        try engine.render.setFormat()
        expecting = .zero
      } catch {
        sinkFailed(error)
      }
    }
    let code = engine.board.pointee.sinkError.load(ordering: .acquiring)
    if code != 0, sinkFailure == nil { sinkFailed(engine.render.failure(code)) }
  }

  private func sinkFailed(_ error: SinkError) {
    sinkFailure = error
    tell(.deviceLost(device: engine.render.name, message: error.description))
    stop(.error)
  }

  /// What is heard now, and what comes of it.
  private func attendSound() {
    guard state != .stopped else { return }
    let board = engine.board
    let underruns = board.pointee.underruns.load(ordering: .acquiring)
    if underruns != seenUnderruns {
      seenUnderruns = underruns
      tell(.underrun(held: held, count: Int(underruns)))
    }
    // Looked at before the rest, so that what led up to the end is seen to first.
    let isFinished = board.pointee.finishedEpoch.load(ordering: .acquiring) == epoch
    if board.pointee.heardEpoch.load(ordering: .acquiring) == epoch { follow() }
    if isFinished { finished() }
  }

  /// The programme sounds.
  private func follow() {
    let board = engine.board
    if state == .buffering || state == .connecting, isSounding { began() }
    for title in titles.heard(at: StreamTime(ticks: board.pointee.heard.load(ordering: .relaxed))) {
      summary.titles += 1
      tell(.metadataChanged(title.title, at: title.at.seconds))
    }
  }

  private var isSounding: Bool {
    !hasPlayed || engine.board.pointee.renderState.load(ordering: .acquiring) == RenderState.playing.rawValue
  }

  private func began() {
    let first = MonotonicTime(nanoseconds: engine.board.pointee.firstFrame.load(ordering: .relaxed))
    let latency = hasPlayed ? (now - starvedAt).seconds : (first - tuned).seconds
    state = .playing
    hasPlayed = true
    expecting = .zero
    tell(.playing(station: facts?.name ?? facts?.url, latency: latency, behindLive: facts?.isLive == true ? held : nil))
  }

  private func finished() {
    if let failure {
      self.failure = failure
      return stop(.error)
    }
    if facts?.isLive != true, !isCut { tell(.fileComplete(heard: heardSeconds)) }
    stop(.end)
  }

  /// Whether the programme was played for as long as was asked for, to within a frame.
  private var isCut: Bool {
    guard let duration = settings.duration else { return false }
    return heardSeconds > duration.seconds - 1 / 8_000
  }

  // MARK: Notices

  private var starvedAt = MonotonicTime.zero

  private func hear(_ notice: NetNotice) {
    guard state != .stopped else { return }
    switch notice {
    case .connecting(let url):
      if !hasPlayed {
        state = .connecting
        tell(.connecting(url: url))
      }
    case .connected(let facts): connected(facts)
    case .title(let text, let url, let at):
      let (artist, track) = TrackTitle.split(text)
      let title = Title(text: text, url: url, artist: artist, track: track)
      titles.append(title, at: at)
      tell(.metadataReceived(title))
    case .reconnecting(let attempt, let delay, let reason):
      summary.reconnects += hasPlayed ? 1 : 0
      engine.board.pointee.refillHold.store(settings.startLive.ticks, ordering: .relaxed)
      tell(.reconnecting(attempt: attempt, delay: delay.seconds, reason: reason, held: held))
    case .stitched(let stitch):
      summary.stitches += 1
      summary.lost += stitch.lost.seconds
      tell(
        .stitched(
          overlap: stitch.overlap.seconds, lost: stitch.lost.seconds, exact: stitch.isExact,
          estimated: stitch.isEstimated))
    case .trouble(let trouble, let isFinal):
      tell(trouble)
      if isFinal { gaveUp(trouble) }
    case .complete, .full: break
    }
  }

  private func connected(_ facts: StationFacts) {
    self.facts = facts
    if !facts.isLive { engine.board.pointee.startHold.store(settings.waitFile.ticks, ordering: .relaxed) }
    engine.decode.call()
    if let format { tellInfo(format) }
    if state == .connecting {
      state = .buffering
      let target = facts.isLive ? settings.startLive : settings.waitFile
      tell(.buffering(held: held, target: target.seconds))
    }
  }

  private func gaveUp(_ trouble: Trouble) {
    failure = trouble
    // What was received before sounds to its end first.
    if facts == nil { stop(.error) }
  }

  private func hear(_ notice: DecodeNotice) {
    guard state != .stopped else { return }
    switch notice {
    case .format:
      expecting = now + MonotonicTime(milliseconds: 3_000)
      format = notice
      if facts != nil { tellInfo(notice) }
    case .flowing:
      expecting = now + MonotonicTime(milliseconds: 3_000)
      engine.board.pointee.refillHold.store(settings.refill.ticks, ordering: .relaxed)
    case .starved:
      starvedAt = now
      state = .buffering
      let underruns = Int(engine.board.pointee.underruns.load(ordering: .acquiring))
      tell(.queueExhausted(held: held, count: underruns))
      let target = StreamTime(ticks: engine.board.pointee.refillHold.load(ordering: .relaxed))
      tell(.buffering(held: held, target: target.seconds))
    }
  }

  private func tellInfo(_ notice: DecodeNotice) {
    guard let facts, case .format(let codec, let rate, let channels, _) = notice else { return }
    let bitRate = facts.toldBitRate ?? engine.ring.pointee.statistics.bitRate?.bitsPerSecond
    tell(
      .stationInfo(
        StationInfo(
          facts: facts, codec: codec.description, bitRate: bitRate.map { ($0 + 500) / 1000 },
          sampleRate: Int(rate.hertz), channels: channels)))
  }

  private func tell(_ trouble: Trouble) {
    switch trouble.kind {
    case .httpError:
      tell(.httpError(code: trouble.status, url: trouble.url))
      if trouble.status == 404 || trouble.status == 410 {
        tell(.missingContent(url: trouble.url, message: trouble.message))
      }
    case .missingContent: tell(.missingContent(url: trouble.url, message: trouble.message))
    case .badContent: tell(.badContent(url: trouble.url, message: trouble.message))
    case .urlNotFound: tell(.urlNotFound(url: trouble.url, message: trouble.message))
    case .timeoutExceeded: tell(.timeoutExceeded(url: trouble.url, message: trouble.message))
    case .noNetwork: tell(.noNetwork(url: trouble.url, message: trouble.message))
    }
  }

  private func tell(_ event: Event) { onEvent(event, time) }

  // MARK: Status

  /// Seconds held and not yet heard.
  private var held: Double {
    let statistics = engine.ring.pointee.statistics
    guard engine.board.pointee.heardEpoch.load(ordering: .acquiring) == epoch else { return statistics.ahead.seconds }
    return max(
      0, statistics.written.seconds - StreamTime(ticks: engine.board.pointee.heard.load(ordering: .relaxed)).seconds)
  }

  /// The radio at this moment.
  public var status: RadioStatus {
    let blocks = engine.ring.pointee.statistics
    return RadioStatus(
      state: state, isAudioPlaying: isAudioPlaying, station: facts?.name ?? facts?.url ?? request?.url ?? "",
      title: titles.current, held: held, capacity: blocks.capacity?.seconds, blocks: blocks, heard: heardSeconds,
      byteOffset: engine.board.pointee.byteOffset.load(ordering: .relaxed), measuredBitRate: blocks.bitRate,
      underruns: Int(engine.board.pointee.underruns.load(ordering: .relaxed)))
  }

  /// Whether sound comes; it may come from what is held while there is no connection.
  private var isAudioPlaying: Bool {
    state != .stopped && engine.board.pointee.renderState.load(ordering: .acquiring) == RenderState.playing.rawValue
  }
}
