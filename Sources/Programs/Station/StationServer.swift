import Glibc
import System
import Units

/// A small internet radio station that plays files in a loop by HTTP, in real time, like Icecast.
///
/// Uses one thread and one `poll(2)`. The number of connections and the memory per connection are limited. `run` and
/// `step` belong to one thread; `stop`, `url` and the constants are thread-safe.
public final class StationServer: @unchecked Sendable {
  /// The port of the station.
  public var port: UInt16 { listening.port }
  /// The mounts of the station.
  public let mounts: [Mount]

  let options: StationOptions
  let broadcasts: [Broadcast]
  private let listening: ListeningSocket
  /// Stays raised after `stop`.
  private let stopped: WakeFlag
  private var listeners: [Listener?]
  private var polled: [pollfd]
  private var acceptsAgain = MonotonicTime.zero
  private var scratch = [UInt8](repeating: 0, count: 4096)

  /// Starts to listen; from now on the live position advances.
  ///
  /// - Throws: `noMounts`, `duplicateMount`, `cannotListen` or `systemFailure`.
  public init(mounts: [Mount], options: StationOptions = StationOptions()) throws(StationError) {
    precondition(options.burst >= .zero && options.metadataInterval >= .zero, "a burst or interval is not negative")
    precondition(options.maximumLag >= .zero && options.maximumListeners > 0, "a station has room for a listener")
    guard !mounts.isEmpty else { throw .noMounts }
    var names: Set<String> = []
    for mount in mounts where !names.insert(mount.name).inserted { throw .duplicateMount(name: mount.name) }
    let flag = WakeFlag()
    guard flag.isOpen else { throw .systemFailure(call: "eventfd", reason: .lastError) }
    listening = try ListeningSocket(address: options.address, port: options.port)
    stopped = flag
    let now = MonotonicTime.now
    broadcasts = mounts.map { Broadcast($0, startingAt: now, burst: options.burst) }
    self.mounts = mounts
    self.options = options
    // Additional connections for pages and for refused listeners.
    listeners = Array(repeating: nil, count: options.maximumListeners + 16)
    polled = Array(repeating: pollfd(fd: -1, events: 0, revents: 0), count: listeners.count + 2)
  }

  /// Returns a mount's address, such as "http://127.0.0.1:8700/demo.mp3".
  public func url(of mount: Mount) -> String { root(host: nil) + mount.path }

  /// Serves on the calling thread until `stop`, then disconnects all listeners.
  ///
  /// - Throws: `systemFailure` if `poll` fails.
  public func run() throws(StationError) {
    while try step() {}
    for index in listeners.indices { listeners[index] = nil }
  }

  /// Waits for events, at most `timeout`, and handles them; returns false after `stop`.
  ///
  /// - Throws: `systemFailure` if `poll` fails.
  public func step(timeout: Duration = .forever) throws(StationError) -> Bool {
    let wait = preparePoll(at: .now, timeout: timeout)
    if poll(&polled, nfds_t(polled.count), wait) < 0, errno != EINTR {
      throw .systemFailure(call: "poll", reason: .lastError)
    }
    if polled[0].revents != 0 { return false }
    let now = MonotonicTime.now
    for index in listeners.indices { serve(index, at: now) }
    if polled[1].revents != 0 { accept(at: now) }
    return true
  }

  /// Ends `run`, now or at its start. Thread-safe; may be called more than once.
  public func stop() { stopped.raise() }

  /// Sets the events to poll of each connection. Returns the timeout in milliseconds; -1 without one.
  private func preparePoll(at now: MonotonicTime, timeout: Duration) -> Int32 {
    var due = now + timeout
    polled[0] = pollfd(fd: stopped.descriptor, events: Int16(POLLIN), revents: 0)
    for (index, listener) in listeners.enumerated() {
      guard let listener else {
        polled[index + 2].fd = -1
        continue
      }
      let events = (listener.hasEnded ? 0 : POLLIN) | (listener.isBlocked ? POLLOUT : 0)
      polled[index + 2] = pollfd(fd: listener.descriptor.raw, events: Int16(events), revents: 0)
      due = min(due, listener.deadline)
      if case .listening(let broadcast) = listener.phase { due = min(due, broadcast.live(at: now).nextDue) }
    }
    let isOpen = listeners.contains { $0 == nil } && acceptsAgain <= now
    polled[1] = pollfd(fd: isOpen ? listening.descriptor.raw : -1, events: Int16(POLLIN), revents: 0)
    if acceptsAgain > now { due = min(due, acceptsAgain) }
    return due == .never ? -1 : (due - now).milliseconds
  }

  private func serve(_ index: Int, at now: MonotonicTime) {
    guard let listener = listeners[index] else { return }
    let events = Int32(polled[index + 2].revents)
    if events & POLLIN != 0 {
      switch listener.receive(into: &scratch) {
      case .incomplete: break
      case .complete(let request): answer(request, from: listener, at: now)
      case .refused(let response): listener.answer(response.bytes(), at: now)
      }
    }
    let isGone = events & (POLLERR | POLLHUP | POLLNVAL) != 0
    if isGone || !listener.send(at: now, maximumLag: options.burst.value &+ options.maximumLag.value) {
      listeners[index] = nil
    }
  }

  private func answer(_ request: HTTPRequest, from listener: Listener, at now: MonotonicTime) {
    let headOnly = request.method == .head
    guard request.method != .other else {
      return listener.answer(HTTPResponse.methodNotAllowed.bytes(), at: now)
    }
    guard let broadcast = broadcasts.first(where: { "/" + $0.mount.name == request.path }) else {
      let pages = StationPages(mounts: mounts)
      let root = root(host: request.host)
      let page = request.path == "/" ? pages.list(root: root) : pages.playlist(at: request.path, root: root)
      return listener.answer((page ?? .notFound).bytes(headOnly: headOnly), at: now)
    }
    let interval = request.wantsMetadata ? options.metadataInterval.value : 0
    let url = root(host: request.host) + "/"
    let head = HTTPResponse(streaming: broadcast.mount, options: options, url: url, metadata: interval > 0).bytes()
    if headOnly {
      listener.answer(head, at: now)
    } else if listenerCount < options.maximumListeners {
      let entry = broadcast.entry(at: now)
      listener.tune(to: broadcast, head: head, from: entry, metadataInterval: interval)
    } else {
      listener.answer(HTTPResponse.full.bytes(), at: now)
    }
  }

  private var listenerCount: Int {
    listeners.count { if case .listening = $0?.phase { true } else { false } }
  }

  private func accept(at now: MonotonicTime) {
    while let place = listeners.firstIndex(where: { $0 == nil }) {
      switch listening.accept() {
      case .connection(let descriptor): listeners[place] = Listener(descriptor, at: now)
      case .none: return
      case .exhausted:
        acceptsAgain = now + Duration(milliseconds: 1000)
        return
      }
    }
  }

  private func root(host: String?) -> String {
    let address = options.address.contains(":") ? "[\(options.address)]" : options.address
    return "http://" + (host ?? "\(address):\(port)")
  }
}
