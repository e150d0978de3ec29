import Blocks
import Rendering
import Synchronization
import Glibc
import System
import Units

/// The render thread's work: takes periods, renders them, and hands them to the sink, for ever.
///
/// Between `init` and the thread's end it never allocates, locks or waits for another thread while sound goes on.
/// The control thread touches `sink` and `renderer` only while the thread is parked or has ended.
struct RenderLoop: ~Copyable {
  var renderer: Renderer
  var sink = Sink()
  private let board: UnsafePointer<StatusBoard>
  private let monitor: UnsafePointer<MonitorRing>
  /// Raised to call a parked or idle thread.
  private let wake: WakeFlag.Unowned
  private let frames: UnsafeMutablePointer<Int32>
  private let bytes: UnsafeMutableRawPointer
  private let clock: Clock
  /// What the sink has still to play.
  private var delay: SinkDelay
  private var tellingEpoch: UInt32 = 0
  private var tellingSeek: UInt32 = 0
  private var tally = SinkTally()
  /// Whether all that was given to the sink was played.
  private(set) var isDrained = true
  /// What a pipe has not taken yet of the converted bytes; nothing else is rendered before it has.
  private var unsent = Unsent()
  /// Why the renderer stopped before that.
  private var stopped = RenderStop.full
  /// Frames that a card was given since it was prepared, beyond whole periods.
  private var partial = 0
  /// Why a card, or a named pipe, failed for good, a negative errno; 0 while none did.
  private(set) var failure: Int32 = 0
  /// What it had not played then of what was rendered, in frames; once that is told, of the programme alone.
  var unheard = 0
  /// The programme of which all was given to a pipe, while its reader still plays; 0 where there is none.
  private var endingEpoch: UInt32 = 0

  init(
    _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, _ monitor: UnsafePointer<MonitorRing>,
    taps: TapChain, wake: WakeFlag.Unowned, clock: Clock, scratch: UnsafeMutablePointer<UInt8>
  ) {
    renderer = Renderer(ring, board, taps: taps)
    (self.board, self.monitor) = (board, monitor)
    (self.wake, self.clock) = (wake, clock)
    delay = SinkDelay(by: clock)
    frames = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Int32.self)
    bytes = UnsafeMutableRawPointer(scratch) + MemoryBudget.sinkFrames * 8
  }

  /// Another sink, or none; the control thread's call, while the render thread is parked.
  mutating func attach(_ sink: Sink, first header: [UInt8] = []) {
    set(sink, first: header)
    failure = 0
    tally.clearSilence()
    delay.attach()
    // What stopped at the last sink is rendered again.
    (isDrained, stopped) = (true, .full)
  }

  /// The sink in another format, with bytes that come before the sound; the control thread's call, while the render
  /// thread is parked and has played all.
  mutating func set(_ sink: Sink, first header: [UInt8] = []) {
    self.sink = sink
    partial = 0
    for (index, byte) in header.enumerated() { bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    if !header.isEmpty { unsent = Unsent(count: header.count) }
  }

  /// Plays until it is ordered to quit.
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
        obey(order)
        if failure == 0 { play() } else { rest(.lost) }
      case .park:
        tell(.parked)
        obey(order)
        rest(.parked)
      }
    }
  }

  /// Tells which order is obeyed from here on; a parked thread leaves sink and renderer alone until there is another.
  @_noLocks @_noAllocation
  private func obey(_ order: RenderOrder) { board.pointee.renderObeyed.store(order, ordering: .releasing) }

  /// Renders one period's worth and sees what is next.
  @_noLocks @_noAllocation
  private mutating func play() {
    if !unsent.isEmpty() { return sendRest() }
    let rendered = renderer.render(into: frames, count: sink.framesAtOnce())
    if rendered.frameCount > 0 {
      tellStart()
      tally.add(silence: delay.hole(in: sink))
      emit(rendered.frameCount)
      tally.add(programme: rendered.frameCount)
      board.pointee.playedFrames.add(Int64(rendered.frameCount), ordering: .relaxed)
      isDrained = false
      if failure != 0 { return lose() }
      tell(.playing)
    }
    stopped = rendered.stop
    if unsent.isEmpty() { goOn() }
  }

  /// A pipe's reader stood still: what it did not take goes out first. Meanwhile there is room for what the listener
  /// wants to hear instead.
  @_noLocks @_noAllocation
  private mutating func sendRest() {
    let before = unsent.count()
    send()
    if failure != 0 { return lose() }
    if unsent.isEmpty() {
      if renderer.isSounding { tell(.playing) }
      return goOn()
    }
    if unsent.count() == before { tell(.standing) }
    renderer.discardStale()
  }

  /// Does what is to be done where the renderer stopped.
  @_noLocks @_noAllocation
  private mutating func goOn() {
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

  /// Nothing is decoded: waits as long as the card has something, then falls silent, then rests.
  @_noLocks @_noAllocation
  private mutating func waitForMore() {
    if !renderer.isSounding && (isDrained || sink.isFree() || tally.silence > RenderTiming.silence(for: sink)) {
      drain()
      return failure == 0 ? restUntilCalled() : ()
    }
    if sink.isFree() { return waitAtFreeSink() }
    // What has just begun is not late before half of it was played, or all of it in a pipe, which is read in chunks:
    // the rest is being decoded.
    let chunk = sink.framesAtOnce()
    let margin = sink.isFed() ? (tally.segment > 2 &* chunk ? chunk : 0) : min(chunk, tally.segment) / 2
    let left = delay.framesUntilDry(sink)
    let isLate = renderer.isSounding && !renderer.isFalling()
    if isLate && left > margin {
      if sink.isFed() { tell(delay.isStanding(sink) ? .standing : .playing) }
      let spare = Int64(left &- margin) &* 1_000_000_000 / Int64(sink.rate.hertz)
      clock.sleep(until: clock.now() + Duration(nanoseconds: RenderTiming.wait(of: spare, for: sink)))
    } else {
      // Told first: who sees the underrun sees that nothing sounds.
      tell(.silent)
      if isLate { board.pointee.underruns.add(1, ordering: .releasing) }
      renderer.renderFall(into: frames, count: sink.framesAtOnce())
      emit(sink.framesAtOnce())
      tally.add(silence: sink.framesAtOnce())
    }
  }

  /// Nothing is decoded, and the sink has no clock: nothing is late, so that nothing is torn, and what comes next
  /// follows to the sample. What the listener cuts falls silent.
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

  /// Rests until there is a period; the decode thread calls a thread that it sees idle.
  @_noLocks @_noAllocation
  private func restUntilCalled() {
    tell(.idle)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if !renderer.hasPeriod() { rest(.idle) }
  }

  /// Falls silent within 5 ms and lets the card play out.
  @_noLocks @_noAllocation
  private mutating func finish() {
    var left = 0
    while unsent.count() > 0 && unsent.count() != left {
      left = unsent.count()
      send()
    }
    // Nobody reads: nobody hears the fall.
    if !unsent.isEmpty() { return tell(.parked) }
    if renderer.isSounding {
      let count = min(MemoryBudget.sinkFrames, Renderer.framesOfFall(at: sink.rate))
      let wasCut = renderer.render(into: frames, count: count)
      if wasCut.frameCount > 0 { emit(wasCut.frameCount) }
      renderer.renderFall(into: frames, count: count)
      emit(count)
    }
    drain()
    tell(.parked)
  }

  /// A card may be unplugged, and a pipe's reader may go, while nothing is written.
  @_noLocks @_noAllocation
  private mutating func noticeUnplugging() {
    if sink.isFed(), !pipeHasReader(sink.descriptor) { return give(up: -EPIPE) }
    guard isDrained, case .alsa = sink.backend, let pcm = sink.pcm, alsaIsGone(pcm) else { return }
    lose(0, because: -ENODEV)
  }

  /// The card failed: what it had not played of the programme was not heard, and is told so before the failure is.
  @_noLocks @_noAllocation
  private mutating func lose() {
    unheard = tally.programme(in: unheard)
    if unheard > 0 { endingEpoch = 0 }
    renderer.lose(StreamTime(frames: FrameCount(unheard), at: sink.rate))
    tally.lose(programme: unheard)
    isDrained = true
    publish()
    tell(.lost)
    board.pointee.sinkError.store(failure, ordering: .releasing)
  }

  /// Lets go of a card that failed with so many frames unplayed.
  @_noLocks @_noAllocation
  private mutating func lose(_ frames: Int, because failure: Int32) {
    (unheard, self.failure) = (frames, failure)
    sink.backend = .null
    (sink.isPaced, sink.isNamedPipe) = (false, false)
    sink.pcm = nil
  }

  /// Tells a state and waits to be called, no longer than the beat allows (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  private func rest(_ state: RenderState) {
    tell(state)
    let left = board.pointee.cardDelay.load(ordering: .relaxed)
    wake.park(milliseconds: RenderTiming.rest(while: left, in: sink), by: clock)
  }

  @_noLocks @_noAllocation
  private func tell(_ state: RenderState) { board.pointee.renderState.store(state, ordering: .sequentiallyConsistent) }

  /// A new programme's first frame is about to go out.
  @_noLocks @_noAllocation
  private mutating func tellStart() {
    if tellingEpoch != renderer.epoch || tellingSeek != renderer.seek { tally.begin() }
    tellingSeek = renderer.seek
    endingEpoch = 0
    if tellingEpoch == renderer.epoch { return }
    tellingEpoch = renderer.epoch
    board.pointee.firstFrame.store(clock.now().nanoseconds, ordering: .relaxed)
  }

  /// Tells where the sound is, and only then that it is that of another programme or seek.
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
    fillPeriod()
    if case .alsa = sink.backend, let pcm = sink.pcm {
      alsaDrain(pcm)
      partial = 0
    }
    delay.drain(sink)
    isDrained = true
  }

  /// Fills a card's last period with silence: a card plays whole periods, and alsa-lib before 1.2.9 lets it go on with
  /// what its ring held before. A pipe's reader takes whole chunks: a period more carries the last frames over.
  @_noLocks @_noAllocation
  private mutating func fillPeriod() {
    var missing = sink.isFed() ? sink.periodFrames : 0
    if case .alsa = sink.backend, partial > 0 { missing = sink.periodFrames &- partial }
    while missing > 0 && failure == 0 {
      let count = min(missing, MemoryBudget.sinkFrames)
      for sample in 0..<(2 &* count) { frames[sample] = 0 }
      // Counted first: where the card fails now, this is not programme that nobody heard.
      tally.add(silence: count)
      missing = missing &- count
      emit(count)
    }
  }

  /// Hands rendered frames to the sink; a file that fails for good is told, and left alone from then on.
  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int) {
    delay.give(count, to: sink)
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
    if delay.pace(count, sink) { board.pointee.xruns.add(1, ordering: .relaxed) }
    if failure < 0 { give(up: failure) }
  }

  /// Hands a pipe what it takes of the bytes that wait.
  @_noLocks @_noAllocation
  private mutating func send() {
    let before = unsent.count()
    let failure = pipeWrite(sink.descriptor, bytes, &unsent, clock)
    if unsent.count() < before { delay.move() }
    if failure < 0 { give(up: failure) }
  }

  /// A file or a pipe failed for good, which is told. What a pipe that comes back has not taken is unheard.
  @_noLocks @_noAllocation
  private mutating func give(up failure: Int32) {
    if sink.isNamedPipe {
      let left = delay.lost(in: sink, unsent: unsent.frames(of: sink.bytesPerFrame()))
      unsent = Unsent()
      delay.forget()
      return lose(left, because: failure)
    }
    board.pointee.sinkError.store(failure, ordering: .releasing)
    unsent = Unsent()
    sink.backend = .null
    sink.isPaced = true
  }

  /// Hands converted frames to a card; where it ran dry among them, the rest rises from silence. One that fails for
  /// good is let go.
  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int, to pcm: OpaquePointer) {
    var done = 0
    var failures = 0
    while true {
      let begun = done
      let result = alsaWrite(pcm, bytes, count, sink.bytesPerFrame(), &done, &failures, clock)
      guard case .ranDry = result else {
        partial = (partial &+ done &- begun) % max(1, sink.periodFrames)
        delay.take(done)
        if case .failed(let failure) = result { lose(delay.frames(in: sink) &+ count &- done, because: failure) }
        return
      }
      // It was prepared anew.
      partial = 0
      board.pointee.xruns.add(1, ordering: .relaxed)
      renderer.tear(frames + done &* 2, count: count &- done)
      let rest = bytes + done &* sink.bytesPerFrame()
      SampleConversion.convert(
        frames + done &* 2, count: count &- done, to: sink.samples, channels: sink.channels, rest)
    }
  }
}
