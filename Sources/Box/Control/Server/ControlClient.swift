import CLinux
import Glibc
import System
import Units

final class ControlClient {
  private let socket: Descriptor
  let session: ControlSession
  private let since: MonotonicTime
  /// Time of the last complete line, or of the last start or end of `idle`.
  private var lastHeard: MonotonicTime
  private var wasIdle = false
  private var isGone = false

  /// Memory of the session at the last `weigh`, in bytes.
  private(set) var weight = 0
  /// Rank for disconnection if memory is short: strangers before others, then by memory. The highest rank goes first.
  var cost: (isStranger: Int, weight: Int) { (kind == .stranger ? 1 : 0, weight) }

  private var watched: (input: Bool, room: Bool)?

  private static let portion = 4_096

  init(_ socket: consuming Descriptor, _ session: ControlSession, _ now: MonotonicTime) {
    self.socket = socket
    (self.session, since, lastHeard) = (session, now, now)
  }

  struct Patience {
    /// Time limit for a client that must send a password.
    var password = Duration(milliseconds: 10_000)
    /// Time limit without a complete line, except while the client idles.
    var silence = Duration(milliseconds: 60_000)
  }

  func came(before other: ControlClient) -> Bool { since < other.since }

  func isDone(at now: MonotonicTime, _ patience: Patience) -> Bool {
    if wasIdle != session.client.isIdle { (wasIdle, lastHeard) = (session.client.isIdle, now) }
    let isAwaited = !session.hasWork && (!session.isWaiting || session.isStalled)
    let isSilent = !session.client.isIdle && isAwaited && now - lastHeard > patience.silence
    return isGone || isSilent || kind == .stranger && now - since > patience.password
  }

  func weigh() -> Int {
    defer { weight = session.weight }
    return session.weight - weight
  }

  var descriptor: Int32 { socket.raw }

  var kind: ClientShares.ClientKind {
    if session.client.isLocal { return .local }
    return session.client.isStranger ? .stranger : .remote
  }

  func read(into room: inout [UInt8]) {
    guard !isGone, !session.hasWork, !session.isWaiting else { return }
    let count = recv(descriptor, &room, min(room.count, Self.portion), 0)
    if count > 0 {
      session.receive(room[..<count])
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      isGone = true
    }
  }

  func work(_ most: Int, _ now: MonotonicTime) {
    if session.work(most) || session.client.isIdle { lastHeard = now }
  }

  func watch(in set: Int32) {
    let wish = (input: !session.hasWork && !session.isWaiting, room: !session.client.outgoing.isEmpty)
    if let watched, watched == wish { return }
    watched = wish
    bk_watch_for(set, descriptor, wish.input, wish.room)
  }

  func flush() {
    let client = session.client
    while !client.outgoing.isEmpty, !isGone {
      let count = sendPart()
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { break }
        isGone = true
        return
      }
      client.removeSent(count)
    }
    if client.isLeaving { isGone = true }
  }

  /// Sends bytes up to the next passed file, or with that file. Returns their number, or -1 with `errno`.
  private func sendPart() -> Int {
    session.client.outgoing.withUnsafeBytes { bytes in
      guard let (file, offset) = session.client.passing, offset <= bytes.count else {
        return send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if offset > 0 { return send(descriptor, bytes.baseAddress, offset, Int32(MSG_NOSIGNAL)) }
      let count = bk_send_passing(descriptor, bytes.baseAddress, bytes.count, file.file.raw)
      if count < 0 { errno = Int32(-count) }
      return max(-1, count)
    }
  }
}
