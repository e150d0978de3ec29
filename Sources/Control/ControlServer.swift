import CLinux
import Glibc

/// Serves the control protocol on a Unix socket, for the thread that owns the radio.
///
/// Nothing here waits: `descriptor` can be read when `attend` has something to do. What clients send, and how slowly
/// they read, is bounded; who goes beyond is let go.
public final class ControlServer {
  /// Can be read when something has come (`epoll(7)`).
  public let descriptor: Int32
  private let listener: Int32
  private let path: String
  private var clients: [Int32: ControlClient] = [:]

  /// More are not let in at a time.
  static let mostClients = 32
  private static let greeting = "OK MPD 0.23.5\n"

  /// Serves `path`; what a radio that died left there is replaced.
  public init(_ path: String) throws(ControlError) {
    listener = try Self.listen(at: path)
    descriptor = bk_watch_open()
    self.path = path
    bk_watch(descriptor, listener, false)
  }

  deinit {
    unlink(path)
    close(listener)
    close(descriptor)
  }

  private static func listen(at path: String) throws(ControlError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !path.isEmpty, path.utf8.count < room else { throw .pathTooLong(path) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try clear(path, address)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    let before = umask(0o077)
    defer { umask(before) }
    guard withAddress(address, { bind(listener, $0, $1) }) == 0, Glibc.listen(listener, 16) == 0 else {
      let code = errno
      close(listener)
      throw .refused(path, errno: code)
    }
    return listener
  }

  private static func withAddress<Result>(
    _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Removes a socket that nobody serves any more.
  private static func clear(_ path: String, _ address: sockaddr_un) throws(ControlError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(probe) }
    if withAddress(address, { connect(probe, $0, $1) }) == 0 || errno == EAGAIN { throw .taken(path) }
    unlink(path)
  }

  // MARK: Serving

  /// Sees to all that has come: `answer` is asked for every command's answer, in turn.
  public func attend(_ answer: (ControlRequest) -> ControlAnswer) {
    var ready = [Int32](repeating: -1, count: Self.mostClients + 1)
    for descriptor in ready[..<Int(bk_watch_ready(descriptor, &ready, Int32(ready.count)))] {
      if descriptor == listener {
        letIn()
      } else if let client = clients[descriptor] {
        client.flush()
        client.read { serve($0, $1, answer) }
        settle(client)
      }
    }
  }

  /// Those who are connected.
  var clientCount: Int { clients.count }

  /// Tells an event to all who asked for events.
  public func tell(_ line: String) {
    for client in Array(clients.values) where client.hearsEvents {
      client.send(line + "\n")
      settle(client)
    }
  }

  private func letIn() {
    while true {
      let connection = bk_accept(listener)
      guard connection >= 0 else { return }
      guard clients.count < Self.mostClients else {
        close(connection)
        continue
      }
      let client = ControlClient(connection)
      clients[connection] = client
      bk_watch(descriptor, connection, false)
      client.send(Self.greeting)
      settle(client)
    }
  }

  /// Waits for room where something is to be sent; lets go who is gone.
  private func settle(_ client: ControlClient) {
    if client.isGone {
      // Closing it ends the watch.
      clients[client.descriptor] = nil
    } else {
      bk_watch(descriptor, client.descriptor, client.isWaiting)
    }
  }

  private func serve(_ client: ControlClient, _ line: ArraySlice<UInt8>, _ answer: (ControlRequest) -> ControlAnswer) {
    let request: ControlRequest
    do throws(ControlRequest.Failure) {
      request = try ControlRequest(line)
    } catch {
      return client.send(
        ControlAnswer.refused(.wrongArguments, "The line cannot be read: check its quotes.").text(to: ""))
    }
    switch request.name {
    case "": client.send(ControlAnswer.refused(.unknownCommand, "No command given").text(to: ""))
    case "close": client.isLeaving = true
    case "ping": client.send("OK\n")
    case "radio_events":
      client.hearsEvents = true
      client.send("OK\n")
    default: client.send(answer(request).text(to: Self.shown(request.name)))
    }
    client.flush()
  }

  /// A command's name as it may stand in an answer.
  private static func shown(_ name: String) -> String {
    String(name.unicodeScalars.prefix(32).map { $0.value >= 0x20 && $0.value < 0x7F ? Character($0) : "?" })
  }
}
