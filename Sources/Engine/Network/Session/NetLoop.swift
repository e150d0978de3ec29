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
    let context = ProgrammeContext(engine, memory) { [packets] in packets.flag.raise() }
    let session = StreamSession(context, hold)
    let link = LinkWatch()
    while true {
      let orders = orders.withLock { orders in
        defer { orders = NetOrders() }
        return orders
      }
      if orders.quits { return session.stop() }
      memory.board.pointee.netBeat.add(1, ordering: .relaxed)
      apply(orders, session)
      let changes = link.changes(at: clock.now())
      if !changes.isEmpty { session.linkChanged(changes) }
      if changes.contains(.gained) {
        memory.board.pointee.networkChanges.add(1, ordering: .relaxed)
        notified.flag.raise()
      }
      session.poll()
      publishWait(of: session)
      step(engine, session, link)
      publish(engine.removeServerTimes())
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

  private func apply(_ orders: NetOrders, _ session: StreamSession) {
    if let hold = orders.hold { session.use(hold) }
    if let (request, epoch) = orders.tune { session.tune(request, epoch: epoch) }
    if orders.renews { session.replaceConnections() }
    if let seek = orders.seek { session.seek(seek) }
    if let change = orders.change { session.adjust(change) }
    if let follow = orders.follow { session.follow(follow) }
    if let isWanted = orders.nowPlaying { session.requestTitles(isWanted) }
    switch orders.act {
    case .rest: session.rest()
    case .resume: session.resume()
    case .stop: session.stop()
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
  private func step(_ engine: HttpEngine, _ session: StreamSession, _ link: LinkWatch) {
    let now = clock.now()
    let left = max(.zero, min(session.nextMoment - now, Duration(milliseconds: 4_000)))
    var watched = [wake.descriptor] + session.descriptors
    if let descriptor = link.descriptor { watched.append(descriptor) }
    if session.allowsRareChecks {
      wake.wait(min(left, Duration(milliseconds: 200)), by: clock)
      engine.step(timeout: .zero)
    } else if engine.step(timeout: left, watching: watched) {
      wake.clear()
    }
  }
}
