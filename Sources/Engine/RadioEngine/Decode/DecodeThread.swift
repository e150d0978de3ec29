import AudioOutput
import Blocks
import Decoding
import Glibc
import Synchronization
import System
import Units

struct DecodeContext {
  let ring: UnsafePointer<BlockRing>
  let setups: SetupTable
  let periods: UnsafePointer<PeriodRing>
  let notices: NoticeQueue<DecodeNotice>
  let board: UnsafePointer<StatusBoard>
  let depth: SampleDepth
  let mp3Decoder: Mp3Decoder
  let isMono: Bool
  /// `LoopMeter.byteCount` bytes; nil to detect no loops.
  let loopMemory: UnsafeMutableRawPointer?
  /// True if the sink accepts audio faster than real time.
  let isFree: Bool
  /// The flags that wake the decode and render threads, in this order.
  let wake: SharedWakeFlag
  let renderWake: SharedWakeFlag
  let clock: Clock
  let orders: DecodeOrders
}

/// Requests from the control thread that are not in the `StatusBoard`. Any thread.
final class DecodeOrders: Sendable {
  private let policy: Locked<RatePolicy>
  private let ending = Atomic<Bool>(false)

  init(_ policy: RatePolicy) { self.policy = Locked(policy) }

  var isEnding: Bool { ending.load(ordering: .acquiring) }

  func end() { ending.store(true, ordering: .releasing) }

  /// Sets the sink's rates. A card that appears later may have other rates.
  func setRatePolicy(_ policy: RatePolicy) { self.policy.withLock { $0 = policy } }

  /// Returns the sink's rate for audio at `rate`; `first` is the first rate of the programme.
  func outputRate(for rate: SampleRate, first: SampleRate) -> SampleRate {
    policy.withLock { $0.rate(for: rate, first: first) }
  }
}

/// The decode thread, as the control thread uses it. Stops on deinitialization.
final class DecodeThread {
  private let loop: UnsafeMutablePointer<DecodeLoop>
  private let context: DecodeContext
  private var thread: OwnedThread?

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) throws(ThreadError) {
    self.context = context
    loop = .allocate(capacity: 1)
    loop.initialize(to: DecodeLoop(context, room: room))
    // Playback depends on this thread: higher priority if permitted, unless the sink is faster than real time.
    let priority: OwnedThread.Priority = context.isFree ? .usual : .favoured(10)
    nonisolated(unsafe) let loop = loop
    thread = try OwnedThread("decode", priority) { loop.pointee.run() }
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
  }

  func call() { context.wake.flag.raise() }

  func setRatePolicy(_ policy: RatePolicy) { context.orders.setRatePolicy(policy) }

  /// Stops the thread and waits for its end. May be called twice.
  func stop() {
    guard let thread = thread.take() else { return }
    context.orders.end()
    call()
    thread.join()
  }
}
