import Blocks
import CLinux
import Rendering
import Synchronization
import Units

/// The render thread's work: takes periods, renders them, and hands them to the sink, for ever.
///
/// Between `init` and the thread's end it never allocates, locks or waits for another thread while sound goes on.
/// The control thread touches `sink` and `renderer` only while the thread is parked or has ended.
struct RenderLoop: ~Copyable {
  var renderer: Renderer
  var sink = Sink()
  private let board: UnsafePointer<StatusBoard>
  /// Raised to call a parked or idle thread.
  private let wake: Int32
  private let frames: UnsafeMutablePointer<Int32>
  private let bytes: UnsafeMutableRawPointer
  private var clock = PacingClock()
  private var tellingEpoch: UInt32 = 0
  private var tellingSeek: UInt32 = 0
  /// Frames of programme since it began, or since the last seek.
  private var segment = 0
  /// Frames of silence since the last programme.
  private var silence = 0
  private var isDrained = true

  init(
    _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, wake: Int32,
    scratch: UnsafeMutablePointer<UInt8>
  ) {
    renderer = Renderer(ring, board)
    self.board = board
    self.wake = wake
    frames = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Int32.self)
    bytes = UnsafeMutableRawPointer(scratch) + MemoryBudget.sinkFrames * 8
  }

  /// Plays until it is ordered to quit.
  @_noLocks @_noAllocation
  mutating func run() {
    while true {
      switch board.pointee.renderOrder.load(ordering: .acquiring) {
      case 2:
        finish()
        return
      case 1: play()
      default: rest(0)
      }
    }
  }

  /// Renders one period's worth and sees what is next.
  @_noLocks @_noAllocation
  private mutating func play() {
    let rendered = renderer.render(into: frames, count: periodFrames())
    if rendered.frameCount > 0 {
      tellStart()
      emit(rendered.frameCount)
      segment = segment &+ rendered.frameCount
      board.pointee.playedFrames.add(Int64(rendered.frameCount), ordering: .relaxed)
      silence = 0
      isDrained = false
      tell(2)
    }
    switch rendered.stop {
    case .full: break
    case .dry: waitForMore()
    case .newFormat:
      drain()
      rest(4)
    case .end:
      drain()
      publish()
      board.pointee.finishedEpoch.store(renderer.epoch, ordering: .releasing)
    case .paused:
      drain()
      publish()
      rest(5)
    }
    publish()
  }

  /// Nothing is decoded: waits as long as the card has something, then falls silent, then rests.
  @_noLocks @_noAllocation
  private mutating func waitForMore() {
    if !renderer.isSounding && (isDrained || isFree() || silence > 5 &* Int(sink.rate.hertz)) {
      drain()
      tell(1)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if !renderer.hasPeriod() { rest(1) }
      return
    }
    let margin = periodFrames() / 2
    let delay = cardDelay()
    if isFree() {
      bk_sleep_until_ns(bk_monotonic_ns() &+ 1_000_000)
    } else if renderer.isSounding && delay > margin {
      let spare = Int64(delay &- margin) &* 1_000_000_000 / Int64(sink.rate.hertz)
      bk_sleep_until_ns(bk_monotonic_ns() &+ min(spare, 10_000_000))
    } else {
      // Told first: who sees the underrun sees that nothing sounds.
      tell(3)
      if renderer.isSounding { board.pointee.underruns.add(1, ordering: .releasing) }
      renderer.renderFall(into: frames, count: periodFrames())
      emit(periodFrames())
      silence = silence &+ periodFrames()
    }
  }

  /// Falls silent within 5 ms and lets the card play out.
  @_noLocks @_noAllocation
  private mutating func finish() {
    if renderer.isSounding {
      let count = min(MemoryBudget.sinkFrames, Int(sink.rate.hertz) / 200 &+ 1)
      let wasCut = renderer.render(into: frames, count: count)
      if wasCut.frameCount > 0 { emit(wasCut.frameCount) }
      renderer.renderFall(into: frames, count: count)
      emit(count)
    }
    drain()
    tell(0)
  }

  /// Tells a state and waits to be called.
  @_noLocks @_noAllocation
  private mutating func rest(_ state: UInt32) {
    tell(state)
    _ = bk_park(wake, 1_000)
  }

  @_noLocks @_noAllocation
  private func tell(_ state: UInt32) { board.pointee.renderState.store(state, ordering: .sequentiallyConsistent) }

  /// A new programme's first frame is about to go out.
  @_noLocks @_noAllocation
  private mutating func tellStart() {
    if tellingEpoch != renderer.epoch || tellingSeek != renderer.seek { segment = 0 }
    tellingSeek = renderer.seek
    if tellingEpoch == renderer.epoch { return }
    tellingEpoch = renderer.epoch
    board.pointee.firstFrame.store(bk_monotonic_ns(), ordering: .relaxed)
  }

  /// Tells where the sound is, and only then that it is that of another programme or seek.
  @_noLocks @_noAllocation
  private mutating func publish() {
    let delay = cardDelay()
    let programme = FrameCount(min(max(0, delay &- silence), segment))
    let heard = renderer.position.ticks &- StreamTime(frames: programme, at: sink.rate).ticks
    board.pointee.cardDelay.store(Int64(delay), ordering: .relaxed)
    board.pointee.heard.store(max(0, heard), ordering: .relaxed)
    board.pointee.playedTicks.store(renderer.played.ticks, ordering: .relaxed)
    board.pointee.heardSeek.store(tellingSeek, ordering: .releasing)
    board.pointee.heardEpoch.store(tellingEpoch, ordering: .releasing)
  }

  @_noLocks @_noAllocation
  private func periodFrames() -> Int { min(MemoryBudget.sinkFrames, sink.periodFrames) }

  /// Whether the sink takes sound as fast as it comes.
  @_noLocks @_noAllocation
  private func isFree() -> Bool {
    if case .alsa = sink.kind { return false }
    return !sink.isPaced
  }

  @_noLocks @_noAllocation
  private func cardDelay() -> Int {
    if case .alsa = sink.kind, let pcm = sink.pcm { return alsaDelay(pcm) }
    return sink.isPaced ? Int(clock.delay(at: sink.rate)) : 0
  }

  @_noLocks @_noAllocation
  private mutating func drain() {
    if isDrained { return }
    if case .alsa = sink.kind, let pcm = sink.pcm { alsaDrain(pcm) }
    if sink.isPaced { clock.drain(sink.rate) }
    isDrained = true
  }

  /// Hands rendered frames to the sink; a sink that fails for good is told, and left alone from then on.
  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int) {
    SampleConversion.convert(frames, count: count, to: sink.samples, channels: sink.channels, bytes)
    var failure: Int32 = 0
    switch sink.kind {
    case .null: break
    case .file: failure = fileWrite(sink.descriptor, bytes, count &* sink.bytesPerFrame())
    case .pipe:
      failure = pipeWrite(sink.descriptor, bytes, count &* sink.bytesPerFrame(), until: board)
    case .alsa:
      guard let pcm = sink.pcm else { return }
      failure = emit(count, to: pcm)
    }
    if sink.isPaced && clock.take(count, capacity: sink.bufferFrames, rate: sink.rate) {
      board.pointee.xruns.add(1, ordering: .relaxed)
    }
    if failure < 0 {
      board.pointee.sinkError.store(failure, ordering: .releasing)
      sink.kind = .null
      sink.isPaced = true
    }
  }

  /// Hands converted frames to a card; where it ran dry among them, the rest rises from silence.
  @_noLocks @_noAllocation
  private mutating func emit(_ count: Int, to pcm: OpaquePointer) -> Int32 {
    var done = 0
    var failures = 0
    while true {
      let result = alsaWrite(pcm, bytes, count, sink.bytesPerFrame(), &done, &failures)
      if result <= 0 { return result }
      board.pointee.xruns.add(1, ordering: .relaxed)
      renderer.tear(frames + done &* 2, count: count &- done)
      let rest = bytes + done &* sink.bytesPerFrame()
      SampleConversion.convert(
        frames + done &* 2, count: count &- done, to: sink.samples, channels: sink.channels, rest)
    }
  }
}
