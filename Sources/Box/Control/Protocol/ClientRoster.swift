import Units

/// The connected clients, their permissions, and notifications to all clients. Control thread only.
final class ClientRoster {
  var now: () -> MonotonicTime
  private var clients: [ClientState] = []
  /// Number of all connections so far.
  private var connectionCount = 0
  private let access: ControlAccess
  private var passwordGuard = PasswordGuard()
  /// True if a client has output from another client's command, or from a change.
  private var hasNews = false

  init(_ access: ControlAccess, now: @escaping () -> MonotonicTime) {
    self.access = access
    self.now = now
  }

  // MARK: Connections

  /// Adds a client of the Unix socket, or of TCP with its address group.
  func add(isLocal: Bool, address: String?) -> ClientState {
    connectionCount += 1
    let permission = initialPermission(isLocal: isLocal)
    let client = ClientState(number: connectionCount, isLocal: isLocal, address: address, permission)
    clients.append(client)
    return client
  }

  func remove(_ client: ClientState) {
    clients.removeAll { $0 === client }
    if !client.mailbox.channels.isEmpty { notify([.subscription]) }
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

  /// Grants a client the permission of a password, or throws the reason.
  func identify(_ client: ClientState, by password: String) throws(ControlRefusal) {
    switch check(password, from: client.address) {
    case .right(let permission): client.grant(permission)
    case .wrong:
      client.countWrongPassword()
      throw ControlRefusal(.password, "incorrect password")
    case .wait(let seconds):
      throw ControlRefusal(.password, "too many wrong passwords; try again in \(seconds) s")
    }
  }

  // MARK: Notifications

  func consumeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  func markNews() { hasNews = true }

  func notify(_ changes: Set<Subsystem>) {
    for client in clients where client.notify(changes) { hasNews = true }
  }

  var followsEvents: Bool { clients.contains(where: \.followsEvents) }

  func publish(_ event: String) {
    for client in clients where client.followsEvents {
      hasNews = true
      client.send(event + "\n")
    }
  }

  var channels: [String] { Set(clients.flatMap(\.mailbox.channels)).sorted() }

  func send(_ message: ClientMailbox.Message) -> Bool {
    var isHeard = false
    for client in clients where client.mailbox.put(message) {
      if client.notify([.message]) { hasNews = true }
      isHeard = true
    }
    return isHeard
  }
}
