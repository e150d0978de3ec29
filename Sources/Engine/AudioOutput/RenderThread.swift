import Blocks
import Glibc
import Rendering
import System
import Units

/// The sink and the thread that feeds it, as the control thread handles them. Its end stops the thread.
///
/// All calls are the control thread's. Only one format is set at a time: see `setFormat`.
public final class RenderThread {
  private let loop: UnsafeMutablePointer<RenderLoop>
  private let board: UnsafePointer<StatusBoard>
  /// The flag that calls the idle thread: the decode thread raises it when it has something to play.
  public let wake = SharedWakeFlag()
  private var thread: OwnedThread?
  private var output: Output
  private let taps: [Tap]
  /// The last order as the board has it; the thread begins parked.
  private var lastOrder = RenderOrder.initial
  /// What the taps were told that they are given; nil before the first sound, and where there are none.
  public private(set) var tapFormat: TapFormat?
  /// The sound that went to the sink last.
  public let monitor: UnsafePointer<MonitorRing>
  /// Whether the kernel granted SCHED_FIFO.
  public private(set) var isRealtime = false

  /// The priority asked for (`sched(7)`): above all that is not itself a driver's thread, below what kernels use
  /// themselves.
  public static let priority: Int32 = 45
  /// Its stack in bytes, all of it locked into memory, with a guard page below; libasound and its plugs need less than
  /// half of that.
  public static let stackByteCount = 128 * 1024

  /// Opens what was asked for; `start` starts the thread, for which time goes by `clock`.
  public init(
    _ request: OutputRequest, _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>,
    taps: [Tap] = [], clock: Clock, in arena: Arena
  ) throws(SinkError) {
    let scratch = arena.reserve(UInt8.self, count: MemoryBudget.sinkScratch)
    monitor = MonitorRing.make(in: arena)
    self.taps = taps
    let chain = TapChain(taps, in: arena)
    output = try Output(request, clock)
    self.board = board
    board.pointee.readerDelay.store(output.readerDelay.ticks, ordering: .relaxed)
    name = output.name
    precondition(wake.flag.isOpen, "the kernel gives a flag to wake a thread with")
    loop = .allocate(capacity: 1)
    loop.initialize(
      to: RenderLoop(ring, board, monitor, taps: chain, wake: wake.flag.unowned, clock: clock, scratch: scratch))
    if !output.isFile, output.absence == nil {
      // Ready for what most stations send; a file waits, since its header is written once.
      loop.pointee.set(try output.configure(output.firstRate, channels: 2))
      // Taps are told of a format before they hear of it, so the first programme asks for its own.
      if taps.isEmpty { loop.pointee.renderer.setRate(loop.pointee.sink.rate) }
    }
  }

  /// Starts the thread, parked; once.
  public func start() throws(ThreadError) {
    // A sink that takes sound as fast as it comes would keep a real-time thread busy for ever.
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

  /// The rate that the sink plays a programme of `rate` at; another means that the decode thread has to convert.
  public func outputRate(for rate: SampleRate) -> SampleRate { output.outputRate(for: rate) }

  /// Frames per second that go to the sink.
  public var rate: SampleRate { loop.pointee.sink.rate }

  /// Whether the sink takes sound as fast as it comes.
  public var isFree: Bool { output.isFree }

  /// Bits that the sink's samples have: what a decoder rounds to.
  public var depth: Int { output.depth }

  /// The rates that the sink plays as they are; decided when it is opened.
  public var ratePolicy: RatePolicy { output.ratePolicy }

  /// What the thread does now.
  public var state: RenderState { board.pointee.renderState.load(ordering: .acquiring) }

  /// What the sink is called.
  public let name: String

  /// What a failure that the render thread told (`StatusBoard.sinkError`) means.
  public func failure(_ code: Int32) -> SinkError {
    if output.isNamedPipe, code == -EPIPE { return .readerGone(path: name) }
    return output.isFile ? .fileFailed(path: name, errno: -code) : .deviceFailed(name, message: errnoText(-code))
  }

  /// Why the card that is waited for, or a pipe's reader, was not there at the start; nil once it is.
  public var absence: SinkError? { output.absence }

  /// Whether a sink that fails is waited for: a card, or a named pipe.
  public var comesBack: Bool { output.isCard || output.isNamedPipe }

  /// Why nothing sounds although the sink is there; nil where it takes sound.
  public var standing: SinkError? { state == .standing ? .readerStands(path: name) : nil }

  /// The time between the moment in which a pipe's reader takes sound and that in which it is heard; zero elsewhere.
  public var readerDelay: StreamTime { output.readerDelay }

  /// Whether sound goes to a card, which may be let go and taken again.
  public var isCard: Bool { output.isCard }

  /// Lets the thread play.
  public func run() { order(.run) }

  /// Calls the thread where it rests: the listener paused, went on, or went elsewhere.
  public func call() { wake.flag.raise() }

  /// Whether the sink is to be set for what comes next: then `setFormat` is called until it is done.
  public var needsFormat: Bool { isSettingFormat || state == .needsFormat }

  private var isSettingFormat = false

  /// Sets the sink for a period that waits for another format, and lets the thread play. False while the thread has not
  /// parked yet, which takes until its sink has taken a period: call again.
  @discardableResult
  public func setFormat() throws(SinkError) -> Bool {
    isSettingFormat = true
    guard parks() else { return false }
    isSettingFormat = false
    // A thread that went on meanwhile still has sound in its sink, and asks again where that is needed.
    if loop.pointee.isDrained { try setWaitingFormat() }
    order(.run)
    return true
  }

  /// What asked for another format may have been cut in the meantime.
  private func setWaitingFormat() throws(SinkError) {
    loop.pointee.renderer.discardStale()
    guard loop.pointee.renderer.hasPeriod() else { return }
    let period = loop.pointee.renderer.waiting()
    guard period.rate != loop.pointee.renderer.rate else { return }
    guard output.plays(period.rate) else {
      undecoded = loop.pointee.renderer.next()
      return
    }
    let sink = try output.configure(period.rate, channels: Int(period.sourceChannels))
    loop.pointee.set(sink, first: output.takeHeader())
    loop.pointee.renderer.setRate(period.rate)
    tellTaps(TapFormat(rate: period.rate))
  }

  /// Tells the taps that sound of another format comes, or none.
  private func tellTaps(_ format: TapFormat?) {
    guard !taps.isEmpty, format != tapFormat else { return }
    if tapFormat != nil { for tap in taps { tap.dispose() } }
    tapFormat = format
    if let format { for tap in taps { tap.create(format) } }
  }

  // MARK: Interruptions

  /// Parks the thread once what was given to the sink has been played, and closes a card. False while it plays, or
  /// has not parked yet: call again, or `run` to leave the sink as it is.
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
      // It had begun in between.
      order(.run)
      return false
    }
    guard output.isCard || loop.pointee.failure != 0 else { return true }
    loop.pointee.attach(Sink())
    output.closeDevice()
    return true
  }

  /// Closes a pipe whose reader went away, before that is told: who opens it then waits for the next writer, and meets
  /// neither the rest of the old sound nor its end. The render thread does not touch it any more.
  public func closeLost() {
    if board.pointee.sinkError.load(ordering: .acquiring) != 0, !output.isCard { output.closeDevice() }
  }

  /// Where the sound goes on that was decoded for another card, at a rate that this one does not have: it is to be
  /// decoded anew from there. Nil where there is none; told once.
  public func takeUndecoded() -> StreamTime? {
    defer { undecoded = nil }
    return undecoded
  }

  private var undecoded: StreamTime?

  /// Whether the card that was released had failed with programme in it that nobody heard; true once.
  public func takeUnheard() -> Bool {
    defer { loop.pointee.unheard = 0 }
    return loop.pointee.unheard > 0
  }

  /// Opens a card or a pipe that `release` closed, or a pipe that had no reader, sets it for what waits to be heard,
  /// and lets the thread play. Its rates may be others than before: see `ratePolicy` and `takeUndecoded`.
  public func takeUp() throws(SinkError) {
    let isNew = try output.openDevice()
    guard output.isCard else { return try takeUpPipe(isNew: isNew) }
    do throws(SinkError) {
      discardStale()
      let wasSet = loop.pointee.renderer.isRateSet
      let rate = wasSet ? output.outputRate(for: loop.pointee.renderer.rate) : output.firstRate
      loop.pointee.attach(try output.configure(rate, channels: 2))
      // Where no programme asked for its format yet, it will, if there are taps to tell.
      if wasSet || taps.isEmpty { loop.pointee.renderer.setRate(rate) }
      if tapFormat != nil { tellTaps(TapFormat(rate: rate)) }
      try setWaitingFormat()
    } catch {
      loop.pointee.attach(Sink())
      output.closeDevice()
      throw error
    }
    board.pointee.sinkError.store(0, ordering: .releasing)
    order(.run)
  }

  /// A pipe that had a reader goes on as it was, for another reader; else the first programme asks for its format.
  private func takeUpPipe(isNew: Bool) throws(SinkError) {
    let rate = loop.pointee.renderer.rate
    if isNew, loop.pointee.renderer.isRateSet {
      discardStale()
      let sink = try output.configure(rate, channels: output.channels)
      loop.pointee.attach(sink, first: output.takeHeader())
      board.pointee.sinkError.store(0, ordering: .releasing)
    }
    order(.run)
  }

  /// Makes room for what the listener wants to hear instead, while the thread is released.
  public func discardStale() { if isParked { loop.pointee.renderer.discardStale() } }

  /// Falls silent, lets the card play out and closes it, ends the thread and finishes the file. Safe to call twice, and
  /// without effect before `start`.
  public func stop() {
    guard let thread = thread.take() else { return }
    order(.quit)
    thread.join()
    tellTaps(nil)
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

  /// Whether the thread has obeyed the last order, and that was to park: sink and renderer are ours then.
  private var isParked: Bool {
    isParkOrdered && board.pointee.renderObeyed.load(ordering: .acquiring) == lastOrder
  }

  /// Orders the thread to park, once; whether it does.
  private func parks() -> Bool {
    if !isParkOrdered { order(.park) }
    return isParked
  }
}

/// The render thread's entry: all that it reaches is held to the rules.
@_noLocks @_noAllocation
private func renderEntry(_ context: UnsafeMutableRawPointer?) {
  context?.assumingMemoryBound(to: RenderLoop.self).pointee.run()
}
