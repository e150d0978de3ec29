import Blocks
import Rendering
import Synchronization
import Glibc
import System
import Units

/// Runs the render thread: reads periods, renders them, and writes them to the sink. Never allocates, locks or waits
/// for another thread during playback. The control thread uses `sink` and `renderer` only while the render thread is
/// parked or has ended.
struct RenderLoop: ~Copyable {
  var renderer: Renderer
  var sink = Sink()
  private let board: UnsafePointer<StatusBoard>
  private let monitor: UnsafePointer<MonitorRing>
  private let wake: WakeFlag.Unowned
  private let frames: UnsafeMutablePointer<Int32>
  private let bytes: UnsafeMutableRawPointer
  private let clock: Clock
  private var delay: SinkDelay
  private var rewinder: SinkRewinder
  private var tone = Tone()
  /// True while a change is written to a paced pipe or file at once. The pace follows with the next frames.
  private var isUrgent = false
  private var tellingEpoch: UInt32 = 0
  private var tellingSeek: UInt32 = 0
  private var tally = SinkTally()
  private(set) var isDrained = true
  /// Converted bytes that a pipe has not accepted. Rendering waits for them.
  private var unsent = Unsent()
  private var stopped = RenderStop.full
  /// Frames of an incomplete period that a card received since it was prepared.
  private var partial = 0
  /// The permanent error of a card or named pipe as a negative errno, otherwise 0.
  private(set) var failure: Int32 = 0
  /// Rendered frames that the failed sink did not play; after `lose()` only programme frames.
  var unheard = 0
  /// The programme whose end is not published yet, because a snapserver still plays it; otherwise 0.
  private var endingEpoch: UInt32 = 0

  init(
    _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, _ monitor: UnsafePointer<MonitorRing>,
    taps: TapChain, wake: WakeFlag.Unowned, clock: Clock, in arena: Arena
  ) {
    let scratch = arena.reserve(UInt8.self, count: MemoryBudget.sinkScratch)
    renderer = Renderer(ring, board, taps: taps)
    (self.board, self.monitor) = (board, monitor)
    (self.wake, self.clock) = (wake, clock)
    delay = SinkDelay(by: clock)
    rewinder = SinkRewinder(in: arena)
    frames = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Int32.self)
    bytes = UnsafeMutableRawPointer(scratch) + MemoryBudget.sinkFrames * 8
  }

  /// Sets another sink. Control thread only, while this thread is parked.
  mutating func attach(_ sink: Sink, first header: [UInt8] = []) {
    set(sink, first: header)
    failure = 0
    tally.clearSilence()
    delay.attach()
    // The last stop is forgotten, because its audio is rendered again for this sink.
    (isDrained, stopped) = (true, .full)
  }

  /// Sets the sink's new format and its first bytes. Control thread only, while this thread is parked and drained.
  mutating func set(_ sink: Sink, first header: [UInt8] = []) {
    self.sink = sink
    partial = 0
    rewinder.clear()
    for (index, byte) in header.enumerated() { bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    if !header.isEmpty { unsent = Unsent(count: header.count) }
  }

  @_noLocks @_noAllocation
  mutating func run() {
    while true {
      board.pointee.renderBeat.add(1, ordering: .relaxed)
      let order = board.pointee.renderOrder.load(ordering: .acquiring)
      switch order.command() {
      case .quit:
        finish()
        return
      case .run:
        confirm(order)
        if failure == 0 { play() } else { rest(.lost) }
      case .park:
        report(.parked)
        confirm(order)
        rest(.parked)
      }
    }
  }

  /// Confirms an order. A parked thread leaves sink and renderer unused until the next order.
  @_noLocks @_noAllocation
  private func confirm(_ order: RenderOrder) { board.pointee.renderObeyed.store(order, ordering: .releasing) }

  @_noLocks @_noAllocation
  private mutating func play() {
    if !unsent.isEmpty() { return sendRest() }
    dropQueue()
    if failure != 0 { return lose() }
    if waitForRoom() { return }
    let rendered = renderer.render(into: frames, count: sink.framesAtOnce())
    if rendered.frameCount > 0 {
      recordStart()
      tone.restart()
      tally.add(silence: delay.hole(in: sink))
      emit(rendered.frameCount)
      tally.add(programme: rendered.frameCount)
      board.pointee.playedFrames.add(Int64(rendered.frameCount), ordering: .relaxed)
      isDrained = false
      if failure != 0 { return lose() }
      report(.playing)
    }
    stopped = rendered.stop
    if unsent.isEmpty() { handleStop() }
  }

  /// Drops queued frames: those of a programme that the listener left, and silence if audio is ready.
  @_noLocks @_noAllocation
  private mutating func dropQueue() {
    isUrgent = false
    guard sink.canRewind else {
      // The fade-out of the programme that the listener left follows a full buffer.
      let most = sink.bufferFrames &+ Renderer.framesOfFall(at: sink.rate)
      guard sink.isPaced, delay.queued(in: sink) <= most else { return }
      isUrgent = renderer.isLeft() || !renderer.isSounding && !isDrained && renderer.hasPeriod()
      return
    }
    if renderer.isLeft() { dropLeftProgramme() }
    if !renderer.isSounding && rewinder.silence > 0 && renderer.hasPeriod() {
      let dropped = drop(rewinder.silence, of: delay.frames(in: sink), atLeast: 0)
      tally.remove(silence: dropped)
    }
  }

  /// Drops the queued part of a programme that the listener left, and fades out its first frames.
  @_noLocks @_noAllocation
  private mutating func dropLeftProgramme() {
    let count = min(MemoryBudget.sinkFrames, Renderer.framesOfFall(at: sink.rate))
    let queued = delay.frames(in: sink)
    let dropped = drop(queued, of: queued, atLeast: count)
    if dropped == 0 { return }
    let unheard = tally.programme(in: dropped)
    renderer.lose(StreamTime(frames: FrameCount(unheard), at: sink.rate))
    tally.lose(programme: unheard)
    Renderer.fadeOut(frames, count: min(count, dropped))
    emit(min(count, dropped))
    tally.add(silence: min(count, dropped))
    if failure == 0 { publish() }
  }

  @_noLocks @_noAllocation
  private mutating func drop(_ count: Int, of queued: Int, atLeast minimum: Int) -> Int {
    let dropped = rewinder.drop(count, of: queued, atLeast: minimum, from: &sink, &delay, into: frames)
    let period = max(1, sink.periodFrames)
    partial = ((partial &- dropped) % period &+ period) % period
    return dropped
  }

  /// Waits until a sink has room for a period, but a card decides itself if it has room. Returns true if the flag was
  /// raised meanwhile.
  @_noLocks @_noAllocation
  private mutating func waitForRoom() -> Bool {
    guard !isUrgent, sink.isPaced || sink.canRewind else { return false }
    let surplus = delay.queued(in: sink) &+ sink.framesAtOnce() &- sink.bufferFrames
    return surplus > 0 && park(for: surplus)
  }

  /// Waits for the flag during `count` frames, between 1 ms and a period. Returns true if it was raised.
  @_noLocks @_noAllocation
  private func park(for count: Int) -> Bool {
    let time = Int64(min(count, sink.framesAtOnce())) &* 1_000_000_000 / Int64(sink.rate.hertz)
    return wake.park(nanoseconds: max(RenderTiming.shortWait(), time), by: clock)
  }

  /// Writes bytes that a stalled reader did not accept. If some remain, drops outdated periods.
  @_noLocks @_noAllocation
  private mutating func sendRest() {
    let before = unsent.count()
    send()
    if failure != 0 { return lose() }
    if unsent.isEmpty() {
      if renderer.isSounding { report(.playing) }
      return handleStop()
    }
    if unsent.count() == before { report(.standing) }
    renderer.discardStale()
  }

  @_noLocks @_noAllocation
  private mutating func handleStop() {
    let stop = stopped
    stopped = .full
    switch stop {
    case .full: break
    case .dry: waitForMore()
    case .newFormat:
      drain()
      if failure == 0 { rest(.needsFormat) }
    case .end:
      drain()
      if failure == 0 { endingEpoch = renderer.epoch }
    case .paused:
      drain()
      if failure == 0 {
        publish()
        rest(.paused)
      }
    }
    if failure == 0 { noticeUnplugging() }
    if failure != 0 { return lose() }
    publish()
  }

  /// Handles an empty period ring: waits while the sink has frames, then plays silence, then rests.
  @_noLocks @_noAllocation
  private mutating func waitForMore() {
    let hasTone = tone.isWanted(board) && renderer.isRateSet() && !renderer.isSounding
    let isRested = !hasTone && (isDrained || tally.silence > RenderTiming.silence(for: sink))
    if !renderer.isSounding && (sink.isFree() || isRested) {
      drain()
      return failure == 0 ? restUntilCalled() : ()
    }
    if sink.isFree() { return waitAtFreeSink() }
    // The next period is late if the sink has at most half a period left; right after the start, at most half of the
    // written frames.
    // A pipe's reader consumes whole chunks: its limit is one chunk, but an empty pipe during the first two chunks.
    let isLate = renderer.isSounding && !renderer.isFalling()
    let chunk = isLate ? sink.framesAtOnce() : RenderTiming.silentFramesAtOnce(for: sink)
    let margin = sink.isFed() ? (tally.segment > 2 &* chunk ? chunk : 0) : min(chunk, tally.segment) / 2
    let left = delay.framesUntilDry(sink)
    if isLate && left > margin {
      if sink.isFed() { report(delay.isStanding(sink) ? .standing : .playing) }
      let spare = Int64(left &- margin) &* 1_000_000_000 / Int64(sink.rate.hertz)
      clock.sleep(until: clock.now() + Duration(nanoseconds: RenderTiming.wait(of: spare, for: sink)))
    } else if !renderer.isSounding && hasSilence(chunk) {
      report(.silent)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if !renderer.hasPeriod() { _ = park(for: delay.queued(in: sink) &- chunk &- sink.fetchedFrames) }
    } else {
      // Before the underrun count, so that a reader of the new count also sees this state.
      report(.silent)
      if isLate { board.pointee.underruns.add(1, ordering: .releasing) }
      let earlier = renderer.isSounding ? -Renderer.framesOfFall(at: sink.rate) : rewinder.silence
      renderer.renderFall(into: frames, count: chunk)
      if hasTone { tone.render(into: frames, count: chunk, at: sink.rate, board) }
      isDrained = false
      emit(chunk)
      tally.add(silence: chunk)
      rewinder.record(silence: chunk, after: earlier)
    }
  }

  /// Returns true if the sink has more than `chunk` frames until the next programme.
  @_noLocks @_noAllocation
  private mutating func hasSilence(_ chunk: Int) -> Bool {
    (sink.isPaced || sink.canRewind) && delay.queued(in: sink) > chunk &+ sink.fetchedFrames
  }

  /// Handles an empty period ring for a sink without a clock. Periods are never late. A pause, tuning or seek causes a
  /// fade-out.
  @_noLocks @_noAllocation
  private mutating func waitAtFreeSink() {
    if renderer.isFalling() {
      let count = min(MemoryBudget.sinkFrames, Renderer.framesOfFall(at: sink.rate))
      renderer.renderFall(into: frames, count: count)
      emit(count)
      tally.add(silence: count)
    } else if delay.framesSinceGiven(at: sink.rate) < RenderTiming.idle(at: sink.rate) {
      clock.sleep(until: clock.now() + Duration(nanoseconds: RenderTiming.shortWait()))
    } else {
      restUntilCalled()
    }
  }

  /// Rests until a period arrives; the decode thread wakes an idle thread.
  @_noLocks @_noAllocation
  private func restUntilCalled() {
    report(.idle)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if !renderer.hasPeriod() { rest(.idle) }
  }

  /// Fades out within 5 ms, and waits until a card has played its buffer.
  @_noLocks @_noAllocation
  private mutating func finish() {
    var left = 0
    while unsent.count() > 0 && unsent.count() != left {
      left = unsent.count()
      send()
    }
    // The reader has stalled, so no fade is audible.
    if !unsent.isEmpty() { return report(.parked) }
    if renderer.isSounding {
      let count = min(MemoryBudget.sinkFrames, Renderer.framesOfFall(at: sink.rate))
      let wasCut = renderer.render(into: frames, count: count)
      if wasCut.frameCount > 0 { emit(wasCut.frameCount) }
      renderer.renderFall(into: frames, count: count)
      emit(count)
    }
    drain()
    report(.parked)
  }

  /// Detects an unplugged card, or a snapserver that left, without a write.
  @_noLocks @_noAllocation
  private mutating func noticeUnplugging() {
    if sink.isFed(), !pipeHasReader(sink.descriptor) { return give(up: -EPIPE) }
    guard isDrained, case .alsa = sink.backend, let pcm = sink.pcm, alsaIsGone(pcm) else { return }
    lose(0, because: -ENODEV)
  }

  /// Handles a failed card or named pipe: counts the unplayed programme frames, then reports the failure.
  @_noLocks @_noAllocation
  private mutating func lose() {
    unheard = tally.programme(in: unheard)
    if unheard > 0 { endingEpoch = 0 }
    renderer.lose(StreamTime(frames: FrameCount(unheard), at: sink.rate))
    tally.lose(programme: unheard)
    isDrained = true
    publish()
    report(.lost)
    board.pointee.sinkError.store(failure, ordering: .releasing)
  }

  /// Detaches a failed sink with `frames` unplayed; the control thread closes it.
  @_noLocks @_noAllocation
  private mutating func lose(_ frames: Int, because failure: Int32) {
    (unheard, self.failure) = (frames, failure)
    sink.backend = .null
    (sink.isPaced, sink.isNamedPipe) = (false, false)
    sink.pcm = nil
  }

  /// Reports a state and waits for a wake-up, at most until the next heartbeat (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  private func rest(_ state: RenderState) {
    report(state)
    let left = board.pointee.cardDelay.load(ordering: .relaxed)
    let milliseconds = RenderTiming.rest(while: left, in: sink)
    _ = wake.park(nanoseconds: Int64(milliseconds) &* 1_000_000, by: clock)
  }

  @_noLocks @_noAllocation
  private func report(_ state: RenderState) {
    board.pointee.renderState.store(state, ordering: .sequentiallyConsistent)
  }

  /// Records the time of a programme's first frame. Restarts the tally after a new programme or seek.
  @_noLocks @_noAllocation
  private mutating func recordStart() {
    if tellingEpoch != renderer.epoch || tellingSeek != renderer.seek { tally.begin() }
    tellingSeek = renderer.seek
    endingEpoch = 0
    if tellingEpoch == renderer.epoch { return }
    tellingEpoch = renderer.epoch
    board.pointee.firstFrame.store(clock.now().nanoseconds, ordering: .relaxed)
  }

  /// Publishes the position before its seek and programme, so that a reader never sees them with an older position.
  @_noLocks @_noAllocation
  private mutating func publish() {
    let left = delay.frames(in: sink)
    let unheard = FrameCount(tally.programme(in: left))
    let heard = renderer.position.ticks &- StreamTime(frames: unheard, at: sink.rate).ticks
    board.pointee.cardDelay.store(Int64(left), ordering: .relaxed)
    board.pointee.heard.store(max(0, heard), ordering: .relaxed)
    board.pointee.playedTicks.store(renderer.played.ticks, ordering: .relaxed)
    board.pointee.heardSeek.store(tellingSeek, ordering: .releasing)
    board.pointee.heardEpoch.store(tellingEpoch, ordering: .releasing)
    guard endingEpoch != 0, left == 0 || !sink.isFed() else { return }
    board.pointee.finishedEpoch.store(endingEpoch, ordering: .releasing)
    endingEpoch = 0
  }

  @_noLocks @_noAllocation
  private mutating func drain() {
    if isDrained { return }
    if sink.canRewind && rewinder.silence >= delay.frames(in: sink) { return dropSilence() }
    fillPeriod()
    if case .alsa = sink.backend, let pcm = sink.pcm {
      alsaDrain(pcm)
      partial = 0
    }
    delay.drain(sink)
    isDrained = true
  }

  /// Drops the sink's silent queue.
  @_noLocks @_noAllocation
  private mutating func dropSilence() {
    if let pcm = sink.pcm { alsaDrop(pcm) }
    delay.reset()
    rewinder.clear()
    (partial, isDrained) = (0, true)
  }

  /// Fills a card's last period with silence, because alsa-lib before 1.2.9 would play old data in the card's ring. A
  /// pipe's reader consumes whole chunks, so the pipe receives another chunk.
  @_noLocks @_noAllocation
  private mutating func fillPeriod() {
    var missing = sink.isFed() ? sink.periodFrames : 0
    if case .alsa = sink.backend, partial > 0 { missing = sink.periodFrames &- partial }
    while missing > 0 && failure == 0 {
      let count = min(missing, MemoryBudget.sinkFrames)
      for sample in 0..<(2 &* count) { frames[sample] = 0 }
      // Counted before the write, so that a failure does not count these frames as unheard programme.
      tally.add(silence: count)
      missing = missing &- count
      emit(count)
    }
  }

  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int) {
    delay.recordWrite(count, to: sink)
    rewinder.record(frames, count, to: sink)
    monitor.pointee.put(frames, count)
    SampleConversion.convert(frames, count: count, to: sink.samples, channels: sink.channels, bytes)
    var failure: Int32 = 0
    switch sink.backend {
    case .null: break
    case .file: failure = fileWrite(sink.descriptor, bytes, count &* sink.bytesPerFrame())
    case .pipe:
      unsent = Unsent(count: count &* sink.bytesPerFrame())
      send()
    case .alsa:
      guard let pcm = sink.pcm else { return }
      return emit(count, to: pcm)
    }
    if delay.pace(count, sink, waits: !isUrgent) { board.pointee.xruns.add(1, ordering: .relaxed) }
    if failure < 0 { give(up: failure) }
  }

  @_noLocks @_noAllocation
  private mutating func send() {
    let before = unsent.count()
    let failure = pipeWrite(sink.descriptor, bytes, &unsent, clock)
    if unsent.count() < before { delay.recordProgress() }
    if failure < 0 { give(up: failure) }
  }

  /// Handles a permanent failure of a file or pipe. A named pipe is detached, and its unplayed frames count as unheard.
  /// Any other sink is reported and becomes a paced null sink.
  @_noLocks @_noAllocation
  private mutating func give(up failure: Int32) {
    if sink.isNamedPipe {
      let left = delay.lost(in: sink, unsent: unsent.frames(of: sink.bytesPerFrame()))
      unsent = Unsent()
      delay.reset()
      return lose(left, because: failure)
    }
    board.pointee.sinkError.store(failure, ordering: .releasing)
    unsent = Unsent()
    sink.backend = .null
    sink.isPaced = true
  }

  /// Writes converted frames to a card. After an underrun, the rest fades in; a failed card is detached.
  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int, to pcm: OpaquePointer) {
    var done = 0
    var failures = 0
    while true {
      let begun = done
      let result = alsaWrite(pcm, bytes, count, sink.bytesPerFrame(), &done, &failures, clock)
      guard case .ranDry = result else {
        partial = (partial &+ done &- begun) % max(1, sink.periodFrames)
        delay.recordAccepted(done)
        if case .failed(let failure) = result { lose(delay.frames(in: sink) &+ count &- done, because: failure) }
        return
      }
      partial = 0
      board.pointee.xruns.add(1, ordering: .relaxed)
      renderer.tear(frames + done &* 2, count: count &- done)
      let rest = bytes + done &* sink.bytesPerFrame()
      SampleConversion.convert(
        frames + done &* 2, count: count &- done, to: sink.samples, channels: sink.channels, rest)
    }
  }
}
