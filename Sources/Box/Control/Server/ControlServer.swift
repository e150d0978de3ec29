import CLinux
import Glibc
import RadioEngine
import System
import Units

/// Serves the control protocol on a Unix socket and TCP; never blocks. Use from the thread that owns the radio.
///
/// A client that exceeds a limit, for input or for unread output, is disconnected.
public final class ControlServer {
  /// The addresses of the service.
  public struct Places: Sendable {
    /// The Unix socket's path; nil: no Unix socket.
    public var socket: String?
    /// The group that may use the Unix socket, by name or number; nil: the process's group.
    public var group: String?
    /// The TCP addresses.
    public var listen: [ListenAddress] = []
    /// True if `init` accepts unavailable addresses and retries them, for example before DHCP. If false, `init` throws.
    public var isPatient = false

    /// Creates places with a Unix socket at a path; nil for no Unix socket.
    public init(socket: String? = nil) { self.socket = socket }
  }

  /// The `epoll(7)` descriptor to poll for input before `attend`.
  public var descriptor: Int32 { readiness.raw }
  /// The ports of `listen`, in the order of opening.
  public private(set) var ports: [UInt16] = []
  /// The addresses of `listen` that are retried, each with its error in `init` (`Places.isPatient`).
  public private(set) var waiting: [(address: ListenAddress, problem: ControlError)] = []
  /// Called when a retry succeeds.
  public var onListening: (ListenAddress) -> Void = { _ in }
  /// Time between retries of `waiting`.
  public var retryInterval = Duration(milliseconds: 5_000)
  /// The objects that the commands of all clients share.
  public let context: ControlContext
  var shares = ClientShares()
  var patience = ControlClient.Patience()

  private let commands: CommandTable
  private let readiness = Descriptor(bk_watch_open())
  private var listeners: [Int32: Bool] = [:]
  private let clock: Clock
  private let path: String?
  private let addresses: [ListenAddress]
  private(set) var clients: [Int32: ControlClient] = [:]
  private var backlog: [Int32] = []
  private let more = WakeFlag()
  /// Raised when a job for the recordings folder has ended.
  private let finished: SharedWakeFlag?
  /// A reserve descriptor: its number is used to accept and reject a connection if no other descriptor is free.
  private var spare = ControlServer.placeholder
  /// Memory of all clients, in bytes.
  private(set) var memory = 0
  private var nextSweep = MonotonicTime.zero
  private var nextRetry = MonotonicTime.zero
  private var readBuffer = [UInt8](repeating: 0, count: 4_096)
  /// The readable descriptors of this iteration.
  private var ready = [Int32](repeating: -1, count: 64)

  /// Maximum time for `backlog` in one `attend`.
  private static let slice = Duration(milliseconds: 2)
  /// Maximum connections accepted at once, so that connected clients are served in between.
  private static let maxArrivals = 4
  private static let maxMemory = 16 << 20

  /// Starts the service; replaces the socket of a dead radio.
  ///
  /// - Throws: `needsPassword` if other machines could connect without a password; `refused` if an address is
  ///   unavailable and `places` is not patient.
  public init(_ places: Places, _ commands: CommandTable, clock: Clock = .machine) throws(ControlError) {
    self.clock = clock
    if commands.context.clients.initialPermission(isLocal: false) != [],
      let open = places.listen.first(where: { !$0.isLoopback })
    {
      throw .needsPassword(open.description)
    }
    self.commands = commands
    context = commands.context
    path = places.socket
    addresses = places.listen
    finished = context.recordings?.finished
    bk_watch(descriptor, more.descriptor, false)
    if let finished { bk_watch(descriptor, finished.flag.descriptor, false) }
    if let path = places.socket { watch(try UnixSocket.listen(at: path, group: places.group), isLocal: true) }
    shares.hasRemote = !places.listen.isEmpty
    for address in places.listen {
      do throws(ControlError) { try listen(on: address) } catch {
        guard places.isPatient else { throw error }
        waiting.append((address, error))
      }
    }
    nextRetry = clock.now() + retryInterval
  }

  private func listen(on address: ListenAddress) throws(ControlError) {
    let (listener, port) = try address.open(among: addresses)
    ports.append(port)
    watch(listener, isLocal: false)
  }

  private func listenAgain(_ now: MonotonicTime) {
    guard !waiting.isEmpty, now >= nextRetry else { return }
    nextRetry = now + retryInterval
    for (address, _) in waiting {
      guard (try? listen(on: address)) != nil else { continue }
      waiting.removeAll { $0.address == address }
      onListening(address)
    }
  }

  deinit {
    for client in clients.values { client.session.close() }
    if let path, !listeners.isEmpty { unlink(path) }
    for listener in listeners.keys { close(listener) }
  }

  private static var placeholder: Descriptor { Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) }

  private func watch(_ listener: Int32, isLocal: Bool) {
    listeners[listener] = isLocal
    bk_watch(descriptor, listener, false)
  }

  // MARK: Serving

  /// Serves all clients without blocking. Call when `descriptor` is readable, and at least once a second.
  public func attend() {
    let count = Int(bk_watch_ready(descriptor, &ready, Int32(ready.count)))
    let start = clock.now()
    listenAgain(start)
    for descriptor in ready[..<count] {
      // Cleared before the waiting replies are polled below.
      if descriptor == finished?.flag.descriptor { finished?.flag.clear() }
      if let isLocal = listeners[descriptor] {
        acceptClients(descriptor, isLocal: isLocal)
      } else if let client = clients[descriptor] {
        attend(to: client, start)
      }
    }
    for client in clients.values where client.session.isWaiting && isServed(client) { attend(to: client, start) }
    runBacklog()
    context.player.device.expire(at: context.clients.now())
    context.player.settle()
    if context.clients.consumeNews() || start >= nextSweep {
      nextSweep = start + Duration(milliseconds: 500)
      for client in clients.values { settle(client, start) }
    }
    if backlog.isEmpty { more.clear() } else { more.raise() }
  }

  private func attend(to client: ControlClient, _ now: MonotonicTime) {
    if !client.session.hasWork {
      client.read(into: &readBuffer)
      client.work(1, now)
    }
    settle(client, now)
  }

  /// Sends an event to the clients that follow events, with the next `attend`.
  public func publish(_ event: Event, at time: Double) {
    guard context.clients.followsEvents else { return }
    context.clients.publish(event.json(at: time))
    more.raise()
  }

  /// Notifies idle clients of changes, with the next `attend`. Call from the player's `onChange`.
  public func notify(_ changes: Set<Subsystem>) {
    context.clients.notify(changes)
    more.raise()
  }

  private func runBacklog() {
    let end = clock.now() + Self.slice
    while !backlog.isEmpty, clock.now() < end {
      guard let client = clients[backlog.removeFirst()] else { continue }
      client.work(1, clock.now())
      settle(client, clock.now())
    }
  }

  private func acceptClients(_ listener: Int32, isLocal: Bool) {
    for _ in 0..<Self.maxArrivals {
      let connection = Descriptor(bk_accept(listener))
      if connection.raw == -EMFILE || connection.raw == -ENFILE { return rejectConnection(listener) }
      guard connection.isOpen else { return }
      let address = isLocal ? nil : ListenAddress.peer(of: connection.raw)
      guard makeRoom(isLocal: isLocal, address) else { continue }
      if !isLocal {
        var yes: Int32 = 1
        setsockopt(connection.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      }
      let client = ControlClient(connection, ControlSession(commands, isLocal: isLocal, address: address), clock.now())
      clients[client.descriptor] = client
      settle(client, clock.now())
    }
  }

  /// Finds room for a new client; returns false without room. May disconnect a stranger, after executing its
  /// pending input, perhaps a password.
  private func makeRoom(isLocal: Bool, _ address: String?) -> Bool {
    let isStranger = context.clients.initialPermission(isLocal: isLocal) == []
    for _ in 0..<Self.maxArrivals {
      let oldestFirst = clients.values.sorted { $0.came(before: $1) }
      let there = oldestFirst.map { ($0.descriptor, $0.kind, $0.session.client.address) }
      switch shares.verdict(on: isLocal ? .local : isStranger ? .stranger : .remote, of: address, beside: there) {
      case .welcome: return true
      case .turnedAway: return false
      case .instead(let stranger):
        guard let client = clients[stranger] else { return false }
        attend(to: client, clock.now())
        guard clients[stranger] === client, client.kind != .stranger else {
          disconnect(client)
          return true
        }
      }
    }
    return false
  }

  /// Accepts and closes a connection; otherwise `epoll(7)` would report the connection forever.
  private func rejectConnection(_ listener: Int32) {
    spare = Descriptor(-1)
    _ = Descriptor(bk_accept(listener))
    spare = Self.placeholder
  }

  private func settle(_ client: ControlClient, _ now: MonotonicTime) {
    // An earlier iteration of a loop over all clients may have disconnected this client.
    guard isServed(client) else { return }
    client.flush()
    if client.isDone(at: now, patience) { return disconnect(client) }
    // The flush may have made room for the next piece of a reply.
    if client.session.hasWork, !backlog.contains(client.descriptor) { backlog.append(client.descriptor) }
    client.watch(in: descriptor)
    memory += client.weigh()
    while memory > Self.maxMemory, let largest = clients.values.max(by: { $0.cost < $1.cost }) { disconnect(largest) }
  }

  private func isServed(_ client: ControlClient) -> Bool { clients[client.descriptor] === client }

  private func disconnect(_ client: ControlClient) {
    // The last reference closes the socket, which ends the watch.
    guard clients.removeValue(forKey: client.descriptor) != nil else { return }
    memory -= client.weight
    client.session.close()
  }
}
