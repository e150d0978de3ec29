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
  let notices: UnsafePointer<EventRing>
  let board: UnsafePointer<StatusBoard>
  let depth: SampleDepth
  let mp3Decoder: Mp3Decoder
  let isMono: Bool
  let isFree: Bool
  /// The flags that wake the decode, render and control threads, in this order.
  let wake: SharedWakeFlag
  let renderWake: SharedWakeFlag
  let notified: SharedWakeFlag
  let clock: Clock
  let orders: DecodeOrders
}

/// The control thread's orders that are not in the status board. Thread-safe.
final class DecodeOrders: Sendable {
  private let policy: Locked<RatePolicy>
  private let ending = Atomic<Bool>(false)

  init(_ policy: RatePolicy) { self.policy = Locked(policy) }

  var isEnding: Bool { ending.load(ordering: .acquiring) }

  func end() { ending.store(true, ordering: .releasing) }

  /// Sets the sink's rates; a card that appears later may have others.
  func follow(_ policy: RatePolicy) { self.policy.withLock { $0 = policy } }

  /// Returns the sink's rate for sound at `rate`; `first` is the rate at which the programme began.
  func outputRate(for rate: SampleRate, first: SampleRate) -> SampleRate {
    policy.withLock { $0.rate(for: rate, first: first) }
  }
}

/// The decode thread's handle for the control thread. Its deinitialization stops the thread.
final class DecodeThread {
  private let loop: UnsafeMutablePointer<DecodeLoop>
  private let context: DecodeContext
  private var thread: OwnedThread?

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) throws(ThreadError) {
    self.context = context
    loop = .allocate(capacity: 1)
    loop.initialize(to: DecodeLoop(context, room: room))
    // Sound depends on this thread, so it gets a higher priority if that is permitted and the sink plays in real time.
    let priority: OwnedThread.Priority = context.isFree ? .usual : .favoured(10)
    nonisolated(unsafe) let loop = loop
    thread = try OwnedThread("decode", priority) { loop.pointee.run() }
  }

  deinit {
    stop()
    loop.deinitialize(count: 1)
    loop.deallocate()
  }

  /// Wakes the thread for another programme.
  func call() { context.wake.flag.raise() }

  func follow(_ policy: RatePolicy) { context.orders.follow(policy) }

  /// Ends the thread; may be called twice.
  func stop() {
    guard let thread = thread.take() else { return }
    context.orders.end()
    call()
    thread.join()
  }
}
