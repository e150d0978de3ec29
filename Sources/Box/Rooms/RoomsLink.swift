import Json
import System
import Units

/// The connection to a Snapcast server. A thread of its own looks up names and connects, which may block. The owner's
/// calls never block, except `finish`. Processor time and memory stay bounded if a server sends too much or invalid
/// data. Delay before a retry: 1 s, 2 s, … up to 30 s.
public final class RoomsLink: Sendable {
  /// The state of a server.
  public struct News: Equatable, Sendable {
    /// The rooms, with all unconfirmed orders applied.
    public fileprivate(set) var list = RoomList()
    /// True if the server is connected.
    public fileprivate(set) var isConnected = false
    /// The fault of the last connection; nil while connected, and before the first result.
    public fileprivate(set) var fault: RoomFault?

    /// Creates the state before the first connection.
    public init() {}
  }

  private struct Shared {
    var news = News()
    var orders = RoomOrders()
    var unconfirmed: RoomOrder?
    var stopped: MonotonicTime?
  }

  private let server: ServerAddress
  private let clock: Clock
  private let shared = Locked(Shared())
  private let wake = WakeFlag()
  private let newsFlag = WakeFlag()
  private let done = WakeFlag()
  private nonisolated(unsafe) var thread: OwnedThread?

  private static let usualPort: UInt16 = 1_705
  private static let newsInterval = Duration(milliseconds: 100)
  private static let minPause = Duration(milliseconds: 1_000)
  private static let maxPause = Duration(milliseconds: 30_000)
  /// Minimum duration of a connection that resets the back-off.
  private static let steady = Duration(milliseconds: 10_000)
  private static let pieceLength = 16_384

  /// Starts to connect. The caller must call `finish` at the end.
  public init(_ server: ServerAddress, _ clock: Clock) throws(ThreadError) {
    (self.server, self.clock) = (server, clock)
    thread = try OwnedThread("rooms") { self.run() }
  }

  // MARK: Owner's thread

  /// A descriptor that is readable after a change of the state (`epoll(7)`). `currentNews` resets it.
  public var descriptor: Int32 { newsFlag.descriptor }

  /// Returns the current state.
  public func currentNews() -> News {
    shared.withLock { shared in
      newsFlag.clear()
      var news = shared.news
      guard news.isConnected else { return news }
      for order in [shared.unconfirmed].compactMap({ $0 }) + shared.orders.waiting { news.list = news.list.with(order) }
      return news
    }
  }

  /// Sends an order. Returns false without a connection, or if too many rooms have an order.
  public func send(_ order: RoomOrder) -> Bool {
    let isTaken = shared.withLock { $0.news.isConnected && $0.orders.add(order) }
    if isTaken { wake.raise() }
    return isTaken
  }

  /// Starts to stop the thread, and returns at once. `finish` waits for the end.
  public func stop() {
    let now = clock.now()
    shared.withLock { $0.stopped = $0.stopped ?? now }
    wake.raise()
  }

  /// Ends the connection and the thread. Call once. Waits at most `patience` after the first `stop`; a thread in a name
  /// look-up then continues until the program ends.
  public func finish(within patience: Duration) {
    stop()
    guard let thread = thread.take(), let stopped = shared.withLock({ $0.stopped }) else { return }
    let rest = max(.zero, stopped + patience - clock.now())
    if done.wait(rest, by: clock) { thread.join() } else { thread.abandon() }
  }

  // MARK: Link's thread

  private var isEnding: Bool { shared.withLock { $0.stopped != nil } }

  private func run() {
    defer { done.raise() }
    var conversation = RoomConversation()
    var pause = Self.minPause
    while !isEnding {
      conversation.begin()
      let begun = clock.now()
      let fault = serve(&conversation)
      if conversation.isKnown, clock.now() - begun >= Self.steady { pause = Self.minPause }
      publish(conversation, fault)
      let end = clock.now() + pause
      while !isEnding, clock.now() < end { wake.wait(end - clock.now(), by: clock) }
      pause = min(Self.maxPause, pause + pause)
    }
  }

  private func serve(_ conversation: inout RoomConversation) -> RoomFault {
    do throws(RoomFault) {
      let connection = try ServerConnection(server, port: Self.usualPort, clock) { !isEnding }
      return try talk(on: connection, &conversation)
    } catch { return error }
  }

  private func talk(
    on connection: borrowing ServerConnection, _ conversation: inout RoomConversation
  ) throws(RoomFault) -> RoomFault {
    var (buffer, room) = (LineBuffer(longest: RoomMessage.maxLength), [UInt8](repeating: 0, count: Self.pieceLength))
    var allowance = ReadAllowance(at: clock.now())
    // Times of the next and the last publication. `tellsAt` is `never` without a change to publish.
    var (tellsAt, toldAt) = (MonotonicTime.never, MonotonicTime.zero)
    while !isEnding {
      let now = clock.now()
      if now >= conversation.deadline { return .silent }
      if now >= tellsAt {
        publish(conversation, nil)
        (tellsAt, toldAt) = (.never, now)
      }
      guard ask(on: connection, &conversation, at: now) else { return .closed }
      let due = min(conversation.deadline, conversation.due, tellsAt)
      let more = allowance.next(at: now)
      guard more <= now else {
        wake.wait(min(due, more) - now, by: clock)
        continue
      }
      wake.wait(due == .never ? .forever : due - now, orReadable: connection.descriptor, by: clock)
      switch connection.read(into: &room) {
      case .none: continue
      case .ended: return .closed
      case .bytes(let count):
        allowance.consume(count)
        buffer.append(room.span.extracting(0..<count))
      }
      if try processLines(&buffer, &conversation) { tellsAt = min(tellsAt, toldAt + Self.newsInterval) }
    }
    return .closed
  }

  private func ask(
    on connection: borrowing ServerConnection, _ conversation: inout RoomConversation, at now: MonotonicTime
  ) -> Bool {
    let line = shared.withLock { shared in
      let line = conversation.next(&shared.orders, at: now)
      // `conversation.next` replaces the confirmed order. Therefore the list with the confirmed change is stored in the
      // same lock.
      if line != nil, conversation.isKnown {
        (shared.news.list, shared.unconfirmed) = (conversation.list, conversation.unconfirmed)
      }
      return line
    }
    return line.map { connection.send($0) } ?? true
  }

  private func processLines(
    _ buffer: inout LineBuffer, _ conversation: inout RoomConversation
  ) throws(RoomFault) -> Bool {
    var hasNews = false
    while true {
      let line: [UInt8]?
      do throws(LineBuffer.Overlong) { line = try buffer.next() } catch { throw .tooLarge }
      guard let line else { return hasNews }
      if try conversation.process(line) { hasNews = true }
    }
  }

  private func publish(_ conversation: RoomConversation, _ fault: RoomFault?) {
    shared.withLock { shared in
      let old = shared.news
      shared.news.isConnected = fault == nil && conversation.isKnown
      shared.news.list = fault == nil ? conversation.list : conversation.list.disconnected
      shared.news.fault = fault
      shared.unconfirmed = conversation.unconfirmed
      if fault != nil { (shared.orders, shared.unconfirmed) = (RoomOrders(), nil) }
      if shared.news != old { newsFlag.raise() }
    }
  }
}
