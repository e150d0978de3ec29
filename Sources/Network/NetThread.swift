import Blocks
import CLinux
import Synchronization
import System
import Units

/// The thread that talks to the network, as the control thread handles it. Its end stops the thread.
public final class NetThread: Sendable {
  /// What the thread itself needs.
  private struct Means: Sendable {
    nonisolated(unsafe) let ring: UnsafePointer<BlockRing>
    nonisolated(unsafe) let notices: UnsafePointer<EventRing>
    nonisolated(unsafe) let board: UnsafePointer<StatusBoard>
    let hold: HoldRule
    /// Raised when packets came that somebody waits for, and when notices came.
    let packets: SharedWakeFlag
    let notified: SharedWakeFlag
  }

  private let orders = Mutex(NetOrders())
  private let opened = Mutex<FileList?>(nil)
  private let means: Means
  private let wake = WakeFlag()
  private let handle = Mutex<OpaquePointerBox?>(nil)

  private static let stackByteCount = 256 * 1024

  /// Starts the thread. It raises the flag `packets` when packets came for a reader that waits, and
  /// `notified` when it put a notice into its ring. `hold` says how far it may run ahead of the sound.
  public init(
    _ ring: UnsafePointer<BlockRing>, _ notices: UnsafePointer<EventRing>, _ board: UnsafePointer<StatusBoard>,
    hold: HoldRule = HoldRule(), packets: SharedWakeFlag,
    notified: SharedWakeFlag
  ) throws(ThreadError) {
    precondition(wake.isOpen, "the kernel gives a flag to wake a thread with")
    means = Means(ring: ring, notices: notices, board: board, hold: hold, packets: packets, notified: notified)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let thread = bk_thread_start(netEntry, context, "bk-net", Self.stackByteCount, 0, nil)
    guard let thread else { throw ThreadError("net") }
    handle.withLock { $0 = OpaquePointerBox(pointer: thread) }
  }

  deinit { quit() }

  /// Begins the programme `epoch`.
  public func tune(_ request: StationRequest, epoch: UInt32) { post { $0.tune(request, epoch: epoch) } }

  /// Goes to the place of a file where `request` starts, as the programme `epoch`: what is held is forgotten. `number`
  /// says how many files of the programme came before it.
  public func seek(_ request: StationRequest, number: Int, epoch: UInt32) {
    post { $0.seek(FileSeek(request: request, number: number, epoch: epoch)) }
  }

  /// Says which file follows in the same programme when the last one is whole; nil: none. It is told as `followed`
  /// with its token when it does, and does not where it is no file or cannot be had. The programme does not end before
  /// this was said of its last file.
  public func follow(_ request: StationRequest?, token: Int) {
    post { $0.follow(Follow(request: request, token: token)) }
  }

  /// The list that was opened last.
  public var list: FileList? { opened.withLock { $0 } }

  /// Ends the connection.
  public func stop() { post { $0.post(.stop) } }

  /// Closes a live station's connection, or ends the tries to get one, and keeps all that is held; a file's download
  /// goes on. Safe to call twice; ended by `resume`, `tune` and `stop`.
  public func rest() { post { $0.post(.rest) } }

  /// Connects a station that rests at once, and joins what comes to what is held (R4.2). Safe to call twice, and
  /// without effect where none rests.
  public func resume() { post { $0.post(.resume) } }

  /// Makes the connections anew, at once, since the machine slept and nobody tells that they are dead: a live station
  /// is joined to what is held, a file goes on where it broke.
  public func renew() { post { $0.renew() } }

  /// Begins or ends asking for titles beside the stream (`StationRequest.outside`), until another programme begins.
  public func nowPlaying(_ isWanted: Bool) { post { $0.nowPlaying(isWanted) } }

  /// Ends the thread; safe to call twice.
  public func quit() {
    guard
      let thread = handle.withLock({ box in
        defer { box = nil }
        return box
      })
    else { return }
    post { $0.quits = true }
    bk_thread_join(thread.pointer)
  }

  private func post(_ order: (inout NetOrders) -> Void) {
    orders.withLock { order(&$0) }
    wake.raise()
  }

  fileprivate func run() {
    let means = means
    guard let engine = try? HttpEngine() else { return }
    let receiver = Receiver(engine, BlockWriter(means.ring), means.notices, means.board, means.hold) {
      ($0 == .packets ? means.packets : means.notified).flag.raise()
    } onList: { [unowned self] list in
      opened.withLock { $0 = list }
    }
    let link = LinkWatch()
    while true {
      let orders = orders.withLock { orders in
        defer { orders = NetOrders() }
        return orders
      }
      if orders.quits { return receiver.stop() }
      means.board.pointee.netBeat.add(1, ordering: .relaxed)
      obey(orders, receiver)
      let changes = link.changes()
      if !changes.isEmpty { receiver.linkChanged(changes) }
      if changes.contains(.gained) {
        means.board.pointee.networkChanges.add(1, ordering: .relaxed)
        means.notified.flag.raise()
      }
      receiver.attend()
      tellWait(of: receiver)
      step(engine, receiver, link)
    }
  }

  private func obey(_ orders: NetOrders, _ receiver: Receiver) {
    if let (request, epoch) = orders.tune { receiver.tune(request, epoch: epoch) }
    if orders.renews { receiver.renew() }
    if let seek = orders.seek { receiver.seek(seek) }
    if let follow = orders.follow { receiver.follow(follow) }
    if let isWanted = orders.nowPlaying { receiver.nowPlaying(isWanted) }
    switch orders.act {
    case .rest: receiver.rest()
    case .resume: receiver.resume()
    case .stop: receiver.stop()
    case nil: break
    }
  }

  /// Tells what is waited for; a decode thread that waits for packets is called where none will come.
  private func tellWait(of receiver: Receiver) {
    let wait = receiver.wait
    guard wait != means.board.pointee.netWait.exchange(wait, ordering: .acquiringAndReleasing) else { return }
    if wait.isHeldBack, receiver.output.isAwaited { means.packets.flag.raise() }
  }

  /// Waits for bytes, orders, another network or the next moment. Where much is held, bytes may gather for 200 ms:
  /// fewer wake-ups.
  private func step(_ engine: HttpEngine, _ receiver: Receiver, _ link: LinkWatch) {
    let now = MonotonicTime(nanoseconds: bk_monotonic_ns())
    let left = max(.zero, min(receiver.nextMoment - now, MonotonicTime(milliseconds: 4_000)))
    let others = [link.descriptor, receiver.output.descriptor, receiver.names.descriptor].compactMap { $0 }
    if receiver.isAtEase {
      wake.wait(min(left, MonotonicTime(milliseconds: 200)))
      engine.step(timeout: .zero)
    } else if engine.step(timeout: left, watching: [wake.descriptor] + others) {
      wake.clear()
    }
  }
}

/// A C thread's handle; it is used under a lock.
private struct OpaquePointerBox: @unchecked Sendable {
  let pointer: OpaquePointer
}

private func netEntry(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<NetThread>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
}
