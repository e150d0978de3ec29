import Units

/// The clients of the control protocol: who is there, who may do what, and what all of them are told. The control
/// thread's.
final class ClientRoster {
  /// The time on which clients have to wait.
  var now: () -> MonotonicTime
  /// Those who are there, in the order in which they came.
  private(set) var sessions: [ControlSession] = []
  private let access: ControlAccess
  private var passwordGuard = PasswordGuard()
  /// Whether something was told to clients who did not ask just now.
  private var hasNews = false

  /// Nobody is there yet; `now` gives the time.
  init(_ access: ControlAccess, now: @escaping () -> MonotonicTime) { (self.access, self.now) = (access, now) }

  // MARK: Coming and going

  /// A client came.
  func add(_ session: ControlSession) { sessions.append(session) }

  /// A client is gone.
  func remove(_ session: ControlSession) {
    sessions.removeAll { $0 === session }
    if !session.mailbox.channels.isEmpty { note([.subscription]) }
  }

  // MARK: Permissions

  /// What a client may as it comes, over the Unix socket or not.
  func initialPermission(isLocal: Bool) -> Permission { access.initial(isLocal: isLocal) }

  /// What became of a password.
  enum PasswordAnswer {
    /// It permits this.
    case right(Permission)
    case wrong
    /// Too many were wrong: the address has to wait so many seconds before it may try another.
    case wait(seconds: Int)
  }

  /// Looks at a password from an address; nil: from the Unix socket, where nobody has to wait.
  func check(_ password: String, from address: String?) -> PasswordAnswer {
    let now = now()
    if let address, let seconds = passwordGuard.wait(address, at: now) { return .wait(seconds: seconds) }
    let permission = access.permission(for: password)
    if let address {
      if permission == nil { passwordGuard.fail(address, at: now) } else { passwordGuard.succeed(address, at: now) }
    }
    return permission.map { .right($0) } ?? .wrong
  }

  // MARK: Telling

  /// Whether something was told to clients who did not ask since this was asked last.
  func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// Something was told to a client who did not ask just now.
  func noteNews() { hasNews = true }

  /// Tells those who wait for it what changed.
  func note(_ changes: Set<Subsystem>) {
    for session in sessions { session.note(changes) }
  }

  /// Whether somebody follows events.
  var followsEvents: Bool { sessions.contains(where: \.hearsEvents) }

  /// Tells an event, a line of JSON, to those who follow events.
  func tell(_ event: String) {
    for session in sessions where session.hearsEvents {
      hasNews = true
      session.send(event + "\n")
    }
  }

  /// The channels that somebody hears, in the order of their names.
  var channels: [String] { Set(sessions.flatMap(\.mailbox.channels)).sorted() }

  /// Sends a message to all who hear its channel; false where nobody takes it.
  func send(_ message: ClientMailbox.Message) -> Bool {
    var isHeard = false
    for session in sessions where session.mailbox.put(message) {
      session.note([.message])
      isHeard = true
    }
    return isHeard
  }
}
