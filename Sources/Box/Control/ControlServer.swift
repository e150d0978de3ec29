import CLinux
import Glibc
import RadioEngine
import System
import Units

/// Serves the control protocol on a Unix socket and TCP, for the thread that owns the radio.
///
/// Nothing here waits, and no client makes another wait: commands are carried out one at a time, in turn. What clients
/// send, and how slowly they read, is bounded; who goes beyond is let go.
public final class ControlServer {
  /// Where clients are served.
  public struct Places: Sendable {
    /// The Unix socket's path; nil: none.
    public var socket: String?
    /// The group that it lets in, by name or number; nil: the owner's own.
    public var group: String?
    /// Where TCP listens.
    public var listen: [ListenAddress] = []
    /// Whether an address of `listen` that cannot be listened on yet, such as one that DHCP has not given, is tried
    /// again and again; else it is an error.
    public var isPatient = false

    /// A Unix socket, or nothing.
    public init(socket: String? = nil) { self.socket = socket }
  }

  /// Can be read when `attend` has something to do (`epoll(7)`).
  public var descriptor: Int32 { readiness.raw }
  /// The ports of `listen`, in the order in which they were opened.
  public private(set) var ports: [UInt16] = []
  /// The addresses of `listen` that cannot be listened on yet, and why (`Places.isPatient`).
  public private(set) var waiting: [(address: ListenAddress, problem: ControlError)] = []
  /// Told of an address that could not be listened on at first and now is.
  public var onListening: (ListenAddress) -> Void = { _ in }
  /// The addresses that wait are tried this often.
  public var retryInterval = Duration(milliseconds: 5_000)
  /// What all clients share.
  public let commands: RadioCommands
  /// More clients are turned away; the Unix socket and TCP have a share each (`ClientShares`).
  var mostClients: Int {
    get { shares.most }
    set { shares.most = newValue }
  }
  /// How long clients may be silent before they are let go.
  var patience = ControlClient.Patience()

  private let readiness = Descriptor(bk_watch_open())
  private var listeners: [Int32: Bool] = [:]
  private let clock: Clock
  private let path: String?
  private var clients: [Int32: ControlClient] = [:]
  private var shares = ClientShares()
  /// Those with more to be carried out, in turn.
  private var backlog: [Int32] = []
  /// Raised while there is a backlog.
  private let more = WakeFlag()
  /// Kept for a connection that is to be turned away when no descriptor is free.
  private var spare = ControlServer.nothing
  /// What all clients take together, in bytes.
  private(set) var memory = 0
  /// When all clients are looked at next, whether they have news or not.
  private var nextSweep = MonotonicTime.zero
  /// When the addresses that wait are tried next.
  private var nextRetry = MonotonicTime.zero
  private var room = [UInt8](repeating: 0, count: 4_096)

  /// So long the backlog is worked on before others are looked at, and the radio.
  private static let slice = Duration(milliseconds: 2)
  /// So many connections are let in before those who are there are heard.
  private static let mostArrivals = 4
  /// So much memory may clients take together.
  private static let mostMemory = 16 << 20

  /// Serves some places; a socket that a radio that died left there is replaced.
  ///
  /// - Throws: `needsPassword` where other machines could come in without one; `refused` where an address cannot be
  ///   listened on, unless `places` is patient.
  public init(_ places: Places, _ commands: RadioCommands, clock: Clock = .machine) throws(ControlError) {
    self.clock = clock
    if commands.clients.initialPermission(isLocal: false) != [],
      let open = places.listen.first(where: { !$0.isLoopback })
    {
      throw .needsPassword(open.description)
    }
    self.commands = commands
    path = places.socket
    bk_watch(descriptor, more.descriptor, false)
    if let path = places.socket { watch(try UnixSocket.listen(at: path, group: places.group), isLocal: true) }
    shares.hasRemote = !places.listen.isEmpty
    for address in places.listen {
      do throws(ControlError) { try listen(on: address) } catch {
        guard places.isPatient else { throw error }
        waiting.append((address, error))
      }
    }
    nextRetry = now + retryInterval
  }

  private func listen(on address: ListenAddress) throws(ControlError) {
    let (listener, port) = try address.open()
    ports.append(port)
    watch(listener, isLocal: false)
  }

  /// Tries the addresses again that could not be listened on.
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
    for client in clients.values { commands.close(client.session) }
    if let path, !listeners.isEmpty { unlink(path) }
    for listener in listeners.keys { close(listener) }
  }

  /// A descriptor that only takes a place.
  private static var nothing: Descriptor { Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) }

  private func watch(_ listener: Int32, isLocal: Bool) {
    listeners[listener] = isLocal
    bk_watch(descriptor, listener, false)
  }

  /// Those who are connected.
  var clientCount: Int { clients.count }

  private var now: MonotonicTime { clock.now() }

  // MARK: Serving

  /// Sees to all that has come; to be called when `descriptor` can be read, and once a second or more often.
  public func attend() {
    var ready = [Int32](repeating: -1, count: 64)
    let count = Int(bk_watch_ready(descriptor, &ready, Int32(ready.count)))
    let start = now
    listenAgain(start)
    for descriptor in ready[..<count] {
      if let isLocal = listeners[descriptor] {
        letIn(descriptor, isLocal: isLocal)
      } else if let client = clients[descriptor] {
        attend(to: client, start)
      }
    }
    for client in clients.values where client.session.isWaiting && isServed(client) { attend(to: client, start) }
    workOff()
    commands.expireLeases()
    commands.player.settle()
    if commands.clients.takeNews() || start >= nextSweep {
      nextSweep = start + Duration(milliseconds: 500)
      for client in clients.values { settle(client, start) }
    }
    if backlog.isEmpty { more.clear() } else { more.raise() }
  }

  private func attend(to client: ControlClient, _ now: MonotonicTime) {
    if !client.session.hasWork {
      client.read(into: &room)
      client.work(1, now)
    }
    settle(client, now)
  }

  /// Tells an event to those who follow events; they get it with the next `attend`.
  public func tell(_ event: Event, at time: Double) {
    guard commands.clients.followsEvents else { return }
    commands.clients.tell(event.json(at: time))
    more.raise()
  }

  /// Tells those who wait for it what changed; the player's `onChange` comes here.
  public func note(_ changes: Set<Subsystem>) {
    commands.note(changes)
    more.raise()
  }

  /// Carries out more of the backlog, for as long as a slice.
  private func workOff() {
    let end = now + Self.slice
    while !backlog.isEmpty, now < end {
      guard let client = clients[backlog.removeFirst()] else { continue }
      client.work(1, now)
      settle(client, now)
    }
  }

  private func letIn(_ listener: Int32, isLocal: Bool) {
    for _ in 0..<Self.mostArrivals {
      let connection = Descriptor(bk_accept(listener))
      if connection.raw == -EMFILE || connection.raw == -ENFILE { return turnAway(listener) }
      guard connection.isOpen else { return }
      let address = isLocal ? nil : ListenAddress.peer(of: connection.raw)
      guard makeRoom(isLocal: isLocal, address) else { continue }
      if !isLocal {
        var yes: Int32 = 1
        setsockopt(connection.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      }
      let client = ControlClient(connection, commands.open(isLocal: isLocal, address: address), now)
      clients[client.descriptor] = client
      settle(client, now)
    }
  }

  /// Whether one more client is taken; a stranger may have to go for it. Before he goes, what he has sent is carried
  /// out: it may be the password.
  private func makeRoom(isLocal: Bool, _ address: String?) -> Bool {
    let isStranger = commands.clients.initialPermission(isLocal: isLocal) == []
    for _ in 0..<Self.mostArrivals {
      let there = clients.values.sorted { $0.came(before: $1) }.map { ($0.descriptor, $0.kind, $0.session.address) }
      switch shares.verdict(on: isLocal ? .local : isStranger ? .stranger : .remote, of: address, beside: there) {
      case .welcome: return true
      case .turnedAway: return false
      case .instead(let stranger):
        guard let client = clients[stranger] else { return false }
        attend(to: client, now)
        guard clients[stranger] === client, client.kind != .stranger else {
          letGo(client)
          return true
        }
      }
    }
    return false
  }

  /// Else a connection that cannot be taken would be told of without end.
  private func turnAway(_ listener: Int32) {
    spare = Descriptor(-1)
    _ = Descriptor(bk_accept(listener))
    spare = Self.nothing
  }

  /// Sends what waits, and lets go who is gone, or has been silent for too long.
  private func settle(_ client: ControlClient, _ now: MonotonicTime) {
    // A round looks at those who were there when it began; the one before may have made this one go.
    guard isServed(client) else { return }
    client.flush()
    if client.isDone(at: now, patience) { return letGo(client) }
    // What was sent may have made room for more of an answer.
    if client.session.hasWork, !backlog.contains(client.descriptor) { backlog.append(client.descriptor) }
    client.watch(in: descriptor)
    memory += client.weigh()
    // The largest goes while all together take too much; strangers before others.
    while memory > Self.mostMemory, let largest = clients.values.max(by: { $0.cost < $1.cost }) { letGo(largest) }
  }

  /// Whether a client is still there.
  private func isServed(_ client: ControlClient) -> Bool { clients[client.descriptor] === client }

  private func letGo(_ client: ControlClient) {
    // Closing it, with the last reference, ends the watch.
    guard clients.removeValue(forKey: client.descriptor) != nil else { return }
    memory -= client.weight
    commands.close(client.session)
  }
}
