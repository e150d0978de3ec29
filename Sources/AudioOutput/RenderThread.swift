import Blocks
import CLinux
import Glibc
import Rendering
import Units

/// The sink and the thread that feeds it, as the control thread handles them. Its end stops the thread.
///
/// All calls are the control thread's. Only one format is set at a time: see `setFormat`.
public final class RenderThread {
  private let loop: UnsafeMutablePointer<RenderLoop>
  private let board: UnsafePointer<StatusBoard>
  private let wake: Int32
  private var thread: OpaquePointer?
  private var output: Output
  /// Whether the kernel granted SCHED_FIFO.
  public private(set) var isRealtime = false

  /// The priority asked for: above all that is not itself a driver's thread, below what kernels use themselves.
  private static let priority: Int32 = 45
  /// All of it is locked into memory; what libasound and its plugs need is less than half.
  private static let stackByteCount = 64 * 1024

  /// Opens what was asked for and starts the thread, parked.
  public init(
    _ request: OutputRequest, _ ring: UnsafePointer<PeriodRing>, _ board: UnsafePointer<StatusBoard>, in arena: Arena
  ) throws(SinkError) {
    let scratch = arena.reserve(UInt8.self, count: MemoryBudget.sinkScratch)
    output = try Output(request)
    self.board = board
    name = output.name
    wake = bk_event_open()
    precondition(wake >= 0, "the kernel gives a flag to wake a thread with")
    loop = .allocate(capacity: 1)
    loop.initialize(to: RenderLoop(ring, board, wake: wake, scratch: scratch))
    if !output.isFile {
      // Ready for what most stations send; a file waits, since its header is written once.
      loop.pointee.sink = try output.configure(output.firstRate, channels: 2)
      loop.pointee.renderer.setRate(loop.pointee.sink.rate)
    }
    // A sink that takes sound as fast as it comes would keep a real-time thread busy for ever.
    let priority = output.isFree ? 0 : Self.priority
    thread = bk_thread_start(renderEntry, loop, "bk-render", Self.stackByteCount, priority, &isRealtime)
    precondition(thread != nil, "the kernel gives a thread to render with")
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
    close(wake)
  }

  /// The rate that the sink plays a programme of `rate` at; another means that the decode thread has to convert.
  public func outputRate(for rate: SampleRate) -> SampleRate { output.outputRate(for: rate) }

  /// Whether the sink takes sound as fast as it comes.
  public var isFree: Bool { output.isFree }

  /// Bits that the sink's samples have: what a decoder rounds to.
  public var depth: Int { output.depth }

  /// The rates that the sink plays as they are; decided once, when it was opened.
  public var ratePolicy: RatePolicy { output.ratePolicy }

  /// The flag that calls the idle thread: the decode thread raises it when it has something to play.
  public var wakeDescriptor: Int32 { wake }

  /// What the thread does now.
  public var state: RenderState {
    RenderState(rawValue: board.pointee.renderState.load(ordering: .acquiring)) ?? .parked
  }

  /// What the sink is called.
  public let name: String

  /// What a failure that the render thread told (`StatusBoard.sinkError`) means.
  public func failure(_ code: Int32) -> SinkError {
    output.isFile ? .fileFailed(path: name, errno: -code) : .deviceFailed(name, message: errnoText(-code))
  }

  /// Lets the thread play.
  public func run() { order(.run) }

  /// Calls the thread where it rests: the listener paused, went on, or went elsewhere.
  public func call() { bk_event_raise(wake) }

  /// Sets the sink for a period that waits for another format; call when `state` is `needsFormat`.
  public func setFormat() throws(SinkError) {
    order(.park)
    while state != .parked { bk_sleep_until_ns(bk_monotonic_ns() + 1_000_000) }
    // What asked may have been cut in the meantime.
    if loop.pointee.renderer.hasPeriod() {
      let period = loop.pointee.renderer.waiting()
      loop.pointee.sink = try output.configure(period.rate, channels: Int(period.sourceChannels))
      loop.pointee.renderer.setRate(period.rate)
    }
    order(.run)
  }

  /// Falls silent, lets the card play out, ends the thread and finishes the file. Safe to call twice.
  public func stop() {
    guard let thread else { return }
    order(.quit)
    bk_thread_join(thread)
    self.thread = nil
    try? output.finish()
  }

  private func order(_ order: RenderOrder) {
    board.pointee.renderOrder.store(order.rawValue, ordering: .releasing)
    bk_event_raise(wake)
  }
}

/// The render thread's entry: all that it reaches is held to the rules.
@_noLocks @_noAllocation
private func renderEntry(_ context: UnsafeMutableRawPointer?) {
  context?.assumingMemoryBound(to: RenderLoop.self).pointee.run()
}
