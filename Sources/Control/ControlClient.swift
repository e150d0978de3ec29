import CLinux
import Glibc
import System
import Units

/// One who is connected: a socket, and a session behind it.
final class ControlClient {
  private let socket: Descriptor
  let session: ControlSession
  /// Where it came from; nil for the Unix socket.
  let address: String?
  /// When it came.
  let since: MonotonicTime
  /// When a whole line came last.
  private(set) var lastHeard: MonotonicTime
  /// Whether the other side is gone, or let go with all that was sent.
  private(set) var isGone = false

  /// What the session took when it was weighed last.
  var weight = 0
  /// The same, as it counts when somebody has to go: strangers first.
  var cost: (isStranger: Int, weight: Int) { (kind == .stranger ? 1 : 0, weight) }

  private var watched: (input: Bool, room: Bool)?

  private static let portion = 4_096

  /// Takes a connection.
  init(_ socket: consuming Descriptor, _ session: ControlSession, _ now: MonotonicTime) {
    self.socket = socket
    (self.session, address, since, lastHeard) = (session, session.address, now, now)
  }

  /// The number of its connection, by which `epoll(7)` tells of it.
  var descriptor: Int32 { socket.raw }

  /// What kind of client it is.
  var kind: ClientShares.Kind { session.isLocal ? .local : session.isStranger ? .stranger : .remote }

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
