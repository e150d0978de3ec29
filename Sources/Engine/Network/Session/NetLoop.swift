import Blocks
import Http
import Synchronization
import System
import Units

/// The loop of the net thread: applies commands, polls the session, and waits for events.
final class NetLoop: Sendable {
  private let orders = Locked(NetOrders())
  private let memory: NetMemory
  private let hold: HoldRule
  private let clock: Clock
  /// Raised when packets arrive for a waiting reader; `notified` for a new link, address or route.
  private let packets: SharedWakeFlag
  private let notified: SharedWakeFlag
  private let wake = WakeFlag()
  private let serverTimes = Locked<[ServerTime]>([])
  private static let maxServerTimes = 16

  init(_ memory: NetMemory, _ hold: HoldRule, packets: SharedWakeFlag, notified: SharedWakeFlag, clock: Clock) {
    precondition(wake.isOpen, "the kernel gives a flag to wake a thread with")
    self.memory = memory
    self.hold = hold
    self.packets = packets
    self.notified = notified
    self.clock = clock
  }

  /// Queues a command and wakes the net thread. Any thread.
  func post(_ order: (inout NetOrders) -> Void) {
    orders.withLock { order(&$0) }
    wake.raise()
  }

  /// Removes and returns the times of day in responses. Any thread.
  func removeServerTimes() -> [ServerTime] {
    serverTimes.withLock { times in
      defer { times = [] }
      return times
    }
  }

  func run() {
    let engine = Self.engine(clock)
    let receivers = StationReceivers(engine, memory, hold) { [packets] in packets.flag.raise() }
    let link = LinkWatch()
    while true {
      let orders = removeOrders(urgentOnly: receivers.isWaiting)
      if orders.quits { return receivers.stop() }
      memory.board.pointee.netBeat.add(1, ordering: .relaxed)
      apply(orders, receivers)
      let changes = link.changes(at: clock.now())
      if !changes.isEmpty { receivers.linkChanged(changes) }
      if changes.contains(.gained) {
        memory.board.pointee.networkChanges.add(1, ordering: .relaxed)
        notified.flag.raise()
      }
      let hasWaited = receivers.isWaiting
      receivers.poll()
      // Applies the commands that waited.
      if hasWaited, !receivers.isWaiting { continue }
      publishWait(of: receivers.heard)
      step(engine, receivers, link)
      publish(engine.removeServerTimes())
    }
  }

  /// Removes and returns the commands. `urgentOnly`: leaves commands that may wait.
  private func removeOrders(urgentOnly: Bool) -> NetOrders {
    orders.withLock { orders in
      if urgentOnly, !orders.isUrgent { return NetOrders() }
      defer { orders = NetOrders() }
      return orders
    }
  }

  private func publish(_ times: [ServerTime]) {
    guard !times.isEmpty else { return }
    serverTimes.withLock { $0 = ($0 + times).suffix(Self.maxServerTimes) }
    notified.flag.raise()
  }

  /// Traps if libcurl cannot start: without libcurl the net thread could not even report the fault.
  private static func engine(_ clock: Clock) -> HttpEngine {
    do throws(NetworkError) { return try HttpEngine(clock: clock) } catch {
      fatalError("libcurl does not start: \(error)")
    }
  }

  private func apply(_ orders: NetOrders, _ receivers: StationReceivers) {
    if let hold = orders.hold { receivers.use(hold) }
    if let rule = orders.prefetch { receivers.use(rule) }
    if let rule = orders.second { receivers.use(rule) }
    if let (request, epoch) = orders.tune {
      receivers.tune(request, epoch: epoch)
      if receivers.isWaiting { return self.orders.withLock { $0.restore(orders) } }
    }
    if orders.renews { receivers.replaceConnections() }
    let session = receivers.heard
    if let seek = orders.seek { session.seek(seek) }
    if let change = orders.change { session.adjust(change) }
    if let follow = orders.follow { session.follow(follow) }
    if let isWanted = orders.nowPlaying { session.requestTitles(isWanted) }
    switch orders.act {
    case .rest: session.rest()
    case .resume: session.resume()
    case .stop: receivers.stop()
    case nil: break
    }
  }

  /// Publishes the reason for the wait. Wakes a waiting decode thread if its packets are held back.
  private func publishWait(of session: StreamSession) {
    let wait = session.wait
    guard wait != memory.board.pointee.netWait.exchange(wait, ordering: .acquiringAndReleasing) else { return }
    if wait.isHeldBack, session.hasWaitingReader { packets.flag.raise() }
  }

  /// Waits for the next event or due time. With enough audio buffered, bytes gather for 200 ms, to save wake-ups.
  private func step(_ engine: HttpEngine, _ receivers: StationReceivers, _ link: LinkWatch) {
    let now = clock.now()
    let left = max(.zero, min(receivers.nextMoment - now, Duration(milliseconds: 4_000)))
    var watched = [wake.descriptor] + receivers.descriptors
    if let descriptor = link.descriptor { watched.append(descriptor) }
    if receivers.heard.allowsRareChecks {
      wake.wait(min(left, Duration(milliseconds: 200)), by: clock)
      engine.step(timeout: .zero)
    } else if engine.step(timeout: left, watching: watched) {
      wake.clear()
    }
  }
}
