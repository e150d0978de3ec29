import AudioOutput
import Blocks
import Decoding
import Glibc
import Synchronization
import System

/// What the decode thread works with.
final class DecodeContext: @unchecked Sendable {
  let ring: UnsafePointer<BlockRing>
  let periods: UnsafePointer<PeriodRing>
  let notices: UnsafePointer<EventRing>
  let board: UnsafePointer<StatusBoard>
  let depth: SampleDepth
  /// Whether both channels are mixed into one.
  let isMono: Bool
  /// What rates the sink plays: a card that comes later may have others.
  let ratePolicy: Locked<RatePolicy>
  /// Whether the sink takes sound as fast as it comes.
  let isFree: Bool
  /// Raised to call the decode thread, the render thread, and the control thread.
  let wake: SharedWakeFlag
  let renderWake: SharedWakeFlag
  let notified: SharedWakeFlag
  let clock: Clock
  let isEnding = Atomic<Bool>(false)

  init(
    ring: UnsafePointer<BlockRing>, periods: UnsafePointer<PeriodRing>, notices: UnsafePointer<EventRing>,
    board: UnsafePointer<StatusBoard>, depth: SampleDepth, isMono: Bool, ratePolicy: RatePolicy, isFree: Bool,
    wake: SharedWakeFlag, renderWake: SharedWakeFlag, notified: SharedWakeFlag, clock: Clock
  ) {
    self.ring = ring
    self.periods = periods
    self.notices = notices
    self.board = board
    self.depth = depth
    self.isMono = isMono
    self.ratePolicy = Locked(ratePolicy)
    self.isFree = isFree
    self.wake = wake
    self.renderWake = renderWake
    self.notified = notified
    self.clock = clock
  }
}

/// The decode thread, as the control thread handles it. Its end stops the thread.
final class DecodeThread {
  private let loop: UnsafeMutablePointer<DecodeLoop>
  private let context: DecodeContext
  private var thread: OwnedThread?

  private static let stackByteCount = 256 * 1024

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) throws(ThreadError) {
    self.context = context
    loop = .allocate(capacity: 1)
    loop.initialize(to: DecodeLoop(context, room: room))
    // The sound waits for it: before other programs, where that is permitted and the sink does not take all there is.
    let priority: OwnedThread.Priority = context.isFree ? .usual : .favoured(10)
    nonisolated(unsafe) let loop = loop
    thread = try OwnedThread("decode", stackByteCount: Self.stackByteCount, priority) { loop.pointee.run() }
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
  }

  /// Calls the thread: there is another programme to play.
  func call() { context.wake.flag.raise() }

  /// The sink plays these rates from now on.
  func follow(_ policy: RatePolicy) { context.ratePolicy.withLock { $0 = policy } }

  /// Ends the thread; safe to call twice.
  func stop() {
    guard let thread = thread.take() else { return }
    context.isEnding.store(true, ordering: .releasing)
    call()
    thread.join()
  }
}
