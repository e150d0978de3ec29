import CLinux
import Glibc
import System
import Units

/// One who is connected: a socket, and a session behind it.
final class ControlClient {
  private let socket: Descriptor
  let session: ControlSession
  /// When it came.
  private let since: MonotonicTime
  /// When a whole line came last, or a wait in `idle` ended.
  private var lastHeard: MonotonicTime
  private var wasIdle = false
  /// Whether the other side is gone, or let go with all that was sent.
  private var isGone = false

  /// What the session took when it was weighed last.
  private(set) var weight = 0
  /// The same, as it counts when somebody has to go: strangers first.
  var cost: (isStranger: Int, weight: Int) { (kind == .stranger ? 1 : 0, weight) }

  private var watched: (input: Bool, room: Bool)?

  private static let portion = 4_096

  /// Takes a connection.
  init(_ socket: consuming Descriptor, _ session: ControlSession, _ now: MonotonicTime) {
    self.socket = socket
    (self.session, since, lastHeard) = (session, now, now)
  }

  /// How long clients may be silent before they are let go.
  struct Patience {
    /// With one who has not told the password, where one is needed.
    var password = Duration(milliseconds: 10_000)
    /// With one who sends no whole line, and waits for nothing.
    var silence = Duration(milliseconds: 60_000)
  }

  /// Whether it came before another one.
  func came(before other: ControlClient) -> Bool { since < other.since }

  /// Whether it is to go: it is gone, has been silent for too long, or has not told the password in time.
  func isDone(at now: MonotonicTime, _ patience: Patience) -> Bool {
    if wasIdle != session.isIdle { (wasIdle, lastHeard) = (session.isIdle, now) }
    let isAwaited = !session.hasWork && (!session.isWaiting || session.isStalled)
    let isSilent = !session.isIdle && isAwaited && now - lastHeard > patience.silence
    return isGone || isSilent || kind == .stranger && now - since > patience.password
  }

  /// Weighs what the session takes now; how much more that is than the last time.
  func weigh() -> Int {
    defer { weight = session.weight }
    return session.weight - weight
  }

  /// The number of its connection, by which `epoll(7)` tells of it.
  var descriptor: Int32 { socket.raw }

  /// What kind of client it is.
  var kind: ClientShares.ClientKind { session.isLocal ? .local : session.isStranger ? .stranger : .remote }

  /// Takes a portion of what came, unless something of the last is still to be carried out.
  func read(into room: inout [UInt8]) {
    guard !isGone, !session.hasWork, !session.isWaiting else { return }
    let count = recv(descriptor, &room, min(room.count, Self.portion), 0)
    if count > 0 {
      session.receive(room[..<count])
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      isGone = true
    }
  }

  /// Carries out so many commands at most.
  func work(_ most: Int, _ now: MonotonicTime) {
    if session.work(most) || session.isIdle { lastHeard = now }
  }

  /// Has a set wait for what this client needs now (`epoll(7)`).
  func watch(in set: Int32) {
    let wish = (input: !session.hasWork && !session.isWaiting, room: !session.outgoing.isEmpty)
    if let watched, watched == wish { return }
    watched = wish
    bk_watch_for(set, descriptor, wish.input, wish.room)
  }

  /// Sends as much as is taken now.
  func flush() {
    while !session.outgoing.isEmpty, !isGone {
      let count = session.outgoing.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { break }
        isGone = true
        return
      }
      session.sent(count)
    }
    if session.isLeaving { isGone = true }
  }
}
