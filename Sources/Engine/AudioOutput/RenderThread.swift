import Blocks
import Glibc
import Rendering
import System
import Units

/// Owns the sink and the thread that feeds it; its deinitialization stops the thread. Control thread only.
public final class RenderThread {
  private let loop: UnsafeMutablePointer<RenderLoop>
  private let board: UnsafePointer<StatusBoard>
  /// Wakes the resting thread; the decode thread raises the flag after new periods.
  public let wake = SharedWakeFlag()
  private var thread: OwnedThread?
  private var output: Output
  private let taps: [Tap]
  private var lastOrder = RenderOrder.initial
  /// The format announced to the taps; nil before the first sound, and without taps.
  public private(set) var tapFormat: TapFormat?
  /// The frames last written to the sink.
  public let monitor: UnsafePointer<MonitorRing>
  /// True if the kernel granted SCHED_FIFO.
  public private(set) var isRealtime = false

  /// The requested priority (`sched(7)`): above other programs, below drivers' and kernel threads.
  public static let priority: Int32 = 45
  /// The stack in bytes, locked; libasound and its plug-ins need less than half.
  public static let stackByteCount = 128 * 1024

  /// Opens the requested sink; `start` starts the thread.
  public init(
    _ request: OutputRequest, _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>,
    taps: [Tap] = [], clock: Clock, in arena: Arena
  ) throws(SinkError) {
    monitor = MonitorRing.make(in: arena)
    self.taps = taps
    let chain = TapChain(taps, in: arena)
    output = try Output.open(request, clock)
    self.board = board
    board.pointee.readerDelay.store(output.readerDelay.ticks, ordering: .relaxed)
    name = output.name
    precondition(wake.flag.isOpen, "the kernel gives a flag to wake a thread with")
    loop = .allocate(capacity: 1)
    loop.initialize(
      to: RenderLoop(ring, board, monitor, taps: chain, wake: wake.flag.unowned, clock: clock, in: arena))
    if !output.isFile, output.absence == nil {
      // Sets the format of most stations in advance. A file waits for the real format, because its header is written
      // once.
      loop.pointee.set(try output.configure(output.firstRate, channels: 2))
      // With taps, the rate stays unset. The first programme then requests a format, which the taps receive before its
      // audio.
      if taps.isEmpty { loop.pointee.renderer.setRate(loop.pointee.sink.rate) }
    }
  }

  /// Starts the parked thread; call it once.
  public func start() throws(ThreadError) {
    // With a sink without pacing, a real-time thread would never sleep.
    let priority: OwnedThread.Priority = output.isFree ? .usual : .realtime(Self.priority)
    let thread = try OwnedThread(
      "render", stackByteCount: Self.stackByteCount, priority, entry: renderEntry, loop)
    isRealtime = thread.isRealtime
    self.thread = consume thread
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
  }

  /// Returns the sink's rate for a programme; if it differs, the decode thread converts.
  public func outputRate(for rate: SampleRate) -> SampleRate { output.outputRate(for: rate) }

  /// Frames per second of the sink.
  public var rate: SampleRate { loop.pointee.sink.rate }

  /// True if the sink accepts sound faster than real time.
  public var isFree: Bool { output.isFree }

  /// Significant bits per sample, 16 or 24, to which decoders round.
  public var depth: Int { output.depth }

  /// The rule for output rates; `reopen` may change it.
  public var ratePolicy: RatePolicy { output.ratePolicy }

  /// The thread's state.
  public var state: RenderState { board.pointee.renderState.load(ordering: .acquiring) }

  /// The sink's name.
  public let name: String

  /// The sink's error; nil while it works.
  public var failure: SinkError? {
    let code = board.pointee.sinkError.load(ordering: .acquiring)
    if code == 0 { return nil }
    if output.isNamedPipe, code == -EPIPE { return .readerGone(path: name) }
    return output.isFile ? .fileFailed(path: name, errno: -code) : .deviceFailed(name, message: errnoText(-code))
  }

  /// The reason why an awaited card or pipe reader was missing at the start; nil once it is present.
  public var absence: SinkError? { output.absence }

  /// True if the radio waits for a failed sink to return: a card or a named pipe.
  public var isRecoverable: Bool { output.isCard || output.isNamedPipe }

  /// The reason why an open sink plays nothing; nil unless a pipe's reader has stalled.
  public var standing: SinkError? { state == .standing ? .readerStands(path: name) : nil }

  /// The delay of a snapserver; zero for other sinks.
  public var readerDelay: StreamTime { output.readerDelay }

  /// True if the sink is a card, which can be released and reopened.
  public var isCard: Bool { output.isCard }

  /// Frames that the card has yet to play.
  public var cardDelay: Int { Int(board.pointee.cardDelay.load(ordering: .relaxed)) }

  /// Orders the thread to play.
  public func run() { order(.run) }

  /// Wakes a resting thread after a pause, resume or seek.
  public func call() { wake.flag.raise() }

  /// True if the sink needs another format; call `setFormat` until it succeeds.
  public var needsFormat: Bool { isSettingFormat || state == .needsFormat || isToneWithoutFormat }

  /// True if the tone is wanted before the first programme has set a format.
  private var isToneWithoutFormat: Bool {
    let hasTone = board.pointee.hasTone.load(ordering: .relaxed) || board.pointee.hasAlarmTone.load(ordering: .relaxed)
    return hasTone && !loop.pointee.renderer.isRateSet() && !isFree
      && loop.pointee.failure == 0
  }

  /// Starts or stops a tone while no programme plays. A sink without a clock has no tone.
  public func playTone(_ isOn: Bool) {
    board.pointee.hasTone.store(isOn, ordering: .releasing)
    wake.flag.raise()
  }

  /// Starts or stops the tone of an alarm, which precedes the other.
  public func playAlarmTone(_ isOn: Bool) {
    board.pointee.hasAlarmTone.store(isOn, ordering: .releasing)
    wake.flag.raise()
  }

  private var isSettingFormat = false

  /// Sets the format for the next period, and orders the thread to play. Returns false until the thread has parked,
  /// which may last a period: call it again.
  @discardableResult
  public func setFormat() throws(SinkError) -> Bool {
    isSettingFormat = true
    guard parks() else { return false }
    isSettingFormat = false
    // If the thread played before it parked, its sink has frames. The thread then requests a format again if necessary.
    if loop.pointee.isDrained { try setWaitingFormat() }
    order(.run)
    return true
  }

  /// Sets the format if the period that requested it was not dropped meanwhile.
  private func setWaitingFormat() throws(SinkError) {
    loop.pointee.renderer.discardStale()
    guard loop.pointee.renderer.hasPeriod() else { return isToneWithoutFormat ? try setToneFormat() : () }
    let period = loop.pointee.renderer.waiting()
    guard period.rate != loop.pointee.renderer.rate else { return }
    guard output.plays(period.rate) else {
      undecoded = loop.pointee.renderer.next()
      return
    }
    let sink = try output.configure(period.rate, channels: Int(period.sourceChannels))
    loop.pointee.set(sink, first: output.removeHeader())
    loop.pointee.renderer.setRate(period.rate)
    notifyTaps(TapFormat(rate: period.rate))
  }

  private func setToneFormat() throws(SinkError) {
    let sink = try output.configure(output.firstRate, channels: 2)
    loop.pointee.set(sink, first: output.removeHeader())
    loop.pointee.renderer.setRate(sink.rate)
    notifyTaps(TapFormat(rate: sink.rate))
  }

  private func notifyTaps(_ format: TapFormat?) {
    guard !taps.isEmpty, format != tapFormat else { return }
    if tapFormat != nil { for tap in taps { tap.dispose() } }
    tapFormat = format
    if let format { for tap in taps { tap.create(format) } }
  }

  // MARK: Interruptions

  /// Parks the thread after the sink has played its buffer, and closes a card or a failed pipe. Returns false until
  /// then: call it again, or call `run` to keep the sink.
  public func release() -> Bool {
    isSettingFormat = false
    if !isParkOrdered {
      switch state {
      case .playing, .silent, .standing: return false
      case .parked, .idle, .needsFormat, .paused, .lost: break
      }
    }
    guard parks() else { return false }
    guard loop.pointee.isDrained else {
      // The thread has started to play since its state was read.
      order(.run)
      return false
    }
    guard output.isCard || loop.pointee.failure != 0 else { return true }
    loop.pointee.attach(Sink())
    output.closeDevice()
    return true
  }

  /// Closes a failed pipe before the failure is reported; the render thread no longer uses the pipe. A new reader then
  /// waits for the next writer, and receives neither old audio nor an end of file.
  public func closeLost() {
    if board.pointee.sinkError.load(ordering: .acquiring) != 0, !output.isCard { output.closeDevice() }
  }

  /// Returns the stream time from which audio must be decoded again, because the new card lacks its rate. Nil on later
  /// calls.
  public func consumeUndecoded() -> StreamTime? { undecoded.take() }

  private var undecoded: StreamTime?

  /// Returns true, once, if the released sink failed with unheard programme.
  public func consumeUnheardFlag() -> Bool {
    defer { loop.pointee.unheard = 0 }
    return loop.pointee.unheard > 0
  }

  /// Opens a released card or pipe, sets its format, and orders the thread to play. The sink's rates may differ: see
  /// `ratePolicy` and `consumeUndecoded`.
  public func reopen() throws(SinkError) {
    let isNew = try output.openDevice()
    guard output.isCard else { return try reopenPipe(isNew: isNew) }
    do throws(SinkError) {
      discardStale()
      let wasSet = loop.pointee.renderer.isRateSet()
      let rate = wasSet ? output.outputRate(for: loop.pointee.renderer.rate) : output.firstRate
      loop.pointee.attach(try output.configure(rate, channels: 2))
      // With taps, the first programme will request its format.
      if wasSet || taps.isEmpty { loop.pointee.renderer.setRate(rate) }
      if tapFormat != nil { notifyTaps(TapFormat(rate: rate)) }
      try setWaitingFormat()
    } catch {
      loop.pointee.attach(Sink())
      output.closeDevice()
      throw error
    }
    board.pointee.sinkError.store(0, ordering: .releasing)
    order(.run)
  }

  /// Sets a reopened pipe to the last format. If no format was set, the first programme requests its format.
  private func reopenPipe(isNew: Bool) throws(SinkError) {
    let rate = loop.pointee.renderer.rate
    if isNew, loop.pointee.renderer.isRateSet() {
      discardStale()
      let sink = try output.configure(rate, channels: output.channels)
      loop.pointee.attach(sink, first: output.removeHeader())
      board.pointee.sinkError.store(0, ordering: .releasing)
    }
    order(.run)
  }

  /// Drops outdated periods if the thread is parked.
  public func discardStale() { if isParked { loop.pointee.renderer.discardStale() } }

  /// Fades out, waits until a card has played its buffer, ends the thread, and completes the file. Does nothing before
  /// `start` or the second time.
  public func stop() {
    guard let thread = thread.take() else { return }
    order(.quit)
    thread.join()
    notifyTaps(nil)
    try? output.finish()
    output.closeDevice()
  }

  // MARK: Orders

  private func order(_ command: RenderOrder.Command) {
    lastOrder = lastOrder.next(command)
    board.pointee.renderOrder.store(lastOrder, ordering: .releasing)
    wake.flag.raise()
  }

  private var isParkOrdered: Bool { lastOrder.command() == .park }

  /// True if the thread is parked by the last order, so that sink and renderer may be used.
  private var isParked: Bool {
    isParkOrdered && board.pointee.renderObeyed.load(ordering: .acquiring) == lastOrder
  }

  /// Orders the thread to park, once, and returns true after it has.
  private func parks() -> Bool {
    if !isParkOrdered { order(.park) }
    return isParked
  }
}

/// Entry point of the render thread; the compiler checks all callees for locks and allocations.
@_noLocks @_noAllocation
private func renderEntry(_ context: UnsafeMutableRawPointer?) {
  context?.assumingMemoryBound(to: RenderLoop.self).pointee.run()
}
