import Units

/// The connected clients, their permissions, and notifications to all clients. Control thread only.
final class ClientRoster {
  var now: () -> MonotonicTime
  private(set) var sessions: [ControlSession] = []
  private let access: ControlAccess
  private var passwordGuard = PasswordGuard()
  /// True if a client has output from another client's command, or from a change.
  private var hasNews = false

  init(_ access: ControlAccess, now: @escaping () -> MonotonicTime) { (self.access, self.now) = (access, now) }

  // MARK: Connections

  func add(_ session: ControlSession) { sessions.append(session) }

  func remove(_ session: ControlSession) {
    sessions.removeAll { $0 === session }
    if !session.mailbox.channels.isEmpty { notify([.subscription]) }
  }

  // MARK: Permissions

  func initialPermission(isLocal: Bool) -> Permission { access.initial(isLocal: isLocal) }

  enum PasswordResult {
    case right(Permission)
    case wrong
    case wait(seconds: Int)
  }

  /// Checks a password. `address`: nil for the Unix socket, whose clients may try at once.
  func check(_ password: String, from address: String?) -> PasswordResult {
    let now = now()
    if let address, let seconds = passwordGuard.wait(address, at: now) { return .wait(seconds: seconds) }
    let permission = access.permission(for: password)
    if let address {
      if permission == nil { passwordGuard.fail(address, at: now) } else { passwordGuard.succeed(address, at: now) }
    }
    return permission.map { .right($0) } ?? .wrong
  }

  // MARK: Notifications

  func consumeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  func markNews() { hasNews = true }

  func notify(_ changes: Set<Subsystem>) {
    for session in sessions { session.notify(changes) }
  }

  var followsEvents: Bool { sessions.contains(where: \.followsEvents) }

  func publish(_ event: String) {
    for session in sessions where session.followsEvents {
      hasNews = true
      session.send(event + "\n")
    }
  }

  var channels: [String] { Set(sessions.flatMap(\.mailbox.channels)).sorted() }

  func send(_ message: ClientMailbox.Message) -> Bool {
    var isHeard = false
    for session in sessions where session.mailbox.put(message) {
      session.notify([.message])
      isHeard = true
    }
    return isHeard
  }
}
