import AudioOutput
import Blocks
import Decoding
import Glibc
import Synchronization
import System
import Units

/// What the decode thread works with.
struct DecodeContext {
  let ring: UnsafePointer<BlockRing>
  /// What packets need to be decoded.
  let setups: SetupTable
  let periods: UnsafePointer<PeriodRing>
  let notices: UnsafePointer<EventRing>
  let board: UnsafePointer<StatusBoard>
  let depth: SampleDepth
  let mp3Decoder: Mp3Decoder
  /// Whether both channels are mixed into one.
  let isMono: Bool
  /// Whether the sink takes sound as fast as it comes.
  let isFree: Bool
  /// Raised to call the decode thread, the render thread, and the control thread.
  let wake: SharedWakeFlag
  let renderWake: SharedWakeFlag
  let notified: SharedWakeFlag
  let clock: Clock
  let orders: DecodeOrders
}

/// What the control thread tells the decode thread beside the status board; any thread's.
final class DecodeOrders: Sendable {
  private let policy: Locked<RatePolicy>
  private let ending = Atomic<Bool>(false)

  /// Orders to begin with: the sink plays these rates.
  init(_ policy: RatePolicy) { self.policy = Locked(policy) }

  /// Whether the thread is to end.
  var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// Has the thread end.
  func end() { ending.store(true, ordering: .releasing) }

  /// The sink plays these rates from now on: a card that comes later may have others.
  func follow(_ policy: RatePolicy) { self.policy.withLock { $0 = policy } }

  /// The rate that the sink is given for sound of some rate, of which the first was `first`.
  func outputRate(for rate: SampleRate, first: SampleRate) -> SampleRate {
    policy.withLock { $0.rate(for: rate, first: first) }
  }
}

/// The decode thread, as the control thread handles it. Its end stops the thread.
final class DecodeThread {
  private let loop: UnsafeMutablePointer<DecodeLoop>
  private let context: DecodeContext
  private var thread: OwnedThread?

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) throws(ThreadError) {
    self.context = context
    loop = .allocate(capacity: 1)
    loop.initialize(to: DecodeLoop(context, room: room))
    // The sound waits for it: before other programs, where that is permitted and the sink does not take all there is.
    let priority: OwnedThread.Priority = context.isFree ? .usual : .favoured(10)
    nonisolated(unsafe) let loop = loop
    thread = try OwnedThread("decode", priority) { loop.pointee.run() }
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
  }

  /// Calls the thread: there is another programme to play.
  func call() { context.wake.flag.raise() }

  /// The sink plays these rates from now on.
  func follow(_ policy: RatePolicy) { context.orders.follow(policy) }

  /// Ends the thread; safe to call twice.
  func stop() {
    guard let thread = thread.take() else { return }
    context.orders.end()
    call()
    thread.join()
  }
}
