import CLinux
import Foundation
import Glibc
import System

/// A server on the loopback interface. A test's script decides its actions on each connection.
public final class ScriptedStation: Sendable {
  /// A request.
  public struct Request: Sendable {
    /// The number of the request, from 0.
    public var number: Int
    /// The time of the accepted connection or, for later requests on it, of the request; monotonic seconds.
    public var time: Double
    /// The request's head.
    public var head: String
    /// The number of the request on its connection, from 0.
    public var requestNumber = 0

    /// The requested path and query.
    public var path: String { head.split(separator: " ").dropFirst().first.map { String($0) } ?? "" }

    /// Returns the value of a header; nil if it is missing.
    public func header(_ name: String) -> String? {
      let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The port of the server.
  public let port: Int
  private let listener: Int32
  private let script: @Sendable (Request) -> [StationAction]
  private let tail: @Sendable (Request) -> [StationAction]
  private let log = Locked<[Request]>([])
  private let tailLog = Locked<[Request]>([])
  private let open = Locked<Set<Int32>?>([])
  private let sent = Locked(0)
  private let maxDelay = Locked(0.0)

  /// Listens on `port`, or on any free port if it is 0. `script` returns the actions for a request. `tail` returns the
  /// actions for requests for a file's last bytes. Such requests have no fixed order and are counted separately.
  public init(
    port: Int = 0,
    tail: @escaping @Sendable (Request) -> [StationAction] = { _ in StationAction.response("416 Range Not Satisfiable")
    },
    _ script: @escaping @Sendable (Request) -> [StationAction]
  ) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var (yes, length) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) | listen(listener, 64) | getsockname(listener, $0, &length)
      }
    }
    // Smaller segments: loopback segments of 64 KiB are acknowledged late, by kernel timers that a faster test clock
    // cannot speed up.
    var segment: Int32 = 1_460
    setsockopt(listener, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, 4)
    guard listener >= 0, result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    self.script = script
    self.tail = tail
    self.port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachWithClock { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        let time = monotonicSeconds()
        guard open.withLock({ $0?.insert(connection) }) != nil else {
          Glibc.close(connection)
          break
        }
        Thread.detachWithClock { [self] in serve(connection, since: time) }
      }
      open.withLock { $0 = nil }
      Glibc.close(listener)
    }
  }

  /// Creates a station with the same actions on each connection.
  public convenience init(_ acts: [StationAction]) throws { try self.init { _ in acts } }

  /// Creates a station that responds to some paths, and with 404 to the others.
  public convenience init(paths: [String: [StationAction]]) throws {
    try self.init { paths[$0.path] ?? StationAction.response("404 Not Found") }
  }

  /// Returns the address of a path.
  public func url(_ path: String = "/live", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// All requests so far. A copy, because ThreadSanitizer does not recognize the reference count of arrays.
  public var visits: [Request] { log.withLock { $0.map(\.self) } }

  /// The requests for a file's last bytes.
  public var tailVisits: [Request] { tailLog.withLock { $0 } }

  /// Number of bytes acknowledged by the clients' kernel, read or unread.
  public var deliveredByteCount: Int {
    open.withLock { connections in
      var unsent: Int32 = 0
      return (connections ?? []).reduce(sent.withLock { $0 }) {
        ioctl($1, UInt(TIOCOUTQ), &unsent) == 0 ? $0 - Int(unsent) : $0
      }
    }
  }

  /// Maximum delay of this station's threads in seconds, caused by this machine.
  public var maxThreadDelay: Double { maxDelay.withLock { $0 } }

  private func recordDelay(_ seconds: Double) { maxDelay.withLock { $0 = max($0, seconds) } }

  /// Number of open connections.
  public var connectionCount: Int { open.withLock { $0?.count ?? 0 } }

  /// Closes all connections and the listener. A second call does nothing, because the socket's number may already
  /// belong to another socket.
  public func close() {
    open.withLock { connections in
      guard let all = connections else { return }
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in all { shutdown(connection, Int32(SHUT_RDWR)) }
      connections = nil
    }
  }

  private var isClosed: Bool { open.withLock { $0 == nil } }

  private func serve(_ connection: Int32, since time: Double) {
    recordDelay(monotonicSeconds() - time)
    defer {
      open.withLock { _ = $0?.remove(connection) }
      Glibc.close(connection)
    }
    var (yes, sendBuffer) = (Int32(1), Int32(16_384))
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    // A small buffer: the script cannot recall bytes that the kernel has.
    setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &sendBuffer, 4)
    var turn = 0
    while let head = readHead(connection) {
      var visit = Request(number: 0, time: turn == 0 ? time : monotonicSeconds(), head: head, requestNumber: turn)
      let isTail = visit.header("Range")?.hasPrefix("bytes=-") == true
      (isTail ? tailLog : log).withLock { log in
        visit.number = log.count
        log.append(visit)
      }
      let acts = isTail ? tail(visit) : script(visit)
      for act in acts where !perform(act, on: connection) { return }
      guard case .again? = acts.last else { break }
      turn += 1
    }
    shutdown(connection, Int32(SHUT_WR))
    _ = waitForDisconnect(connection, within: 5)
  }

  private func readHead(_ connection: Int32) -> String? {
    var (head, byte): ([UInt8], UInt8) = ([], 0)
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < 65_536, recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Performs an action. Returns false if the script ends.
  private func perform(_ act: StationAction, on connection: Int32) -> Bool {
    switch act {
    case .send(let bytes): return send(bytes[...], to: connection)
    case .pace(let bytes, let rate, let burst): return pace(bytes, rate, burst, to: connection)
    case .wait(let seconds): return !waitForDisconnect(connection, within: seconds)
    case .gate(let gate):
      while !gate.wait(0.02) { if isClosed || waitForDisconnect(connection, within: 0) { return false } }
      return true
    case .open(let gate):
      gate.open()
      return true
    case .then(let acts): return acts().allSatisfy { perform($0, on: connection) }
    case .again: return true
    case .stall: return !waitForDisconnect(connection, within: 3_600)
    case .reset:
      awaitArrival(connection)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  /// Waits up to 1 s until the client's kernel has all sent bytes: a reset discards the rest.
  private func awaitArrival(_ connection: Int32) {
    var unsent: Int32 = 0
    for _ in 0..<1_000 {
      guard ioctl(connection, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0 else { return }
      usleep(1_000)
    }
  }

  private func pace(_ bytes: [UInt8], _ rate: Double, _ burst: Int, to connection: Int32) -> Bool {
    var sent = min(burst, bytes.count)
    guard send(bytes[..<sent], to: connection) else { return false }
    let start = monotonicSeconds()
    while sent < bytes.count {
      let asleep = monotonicSeconds()
      if waitForDisconnect(connection, within: 0.02) { return false }
      let now = monotonicSeconds()
      recordDelay(now - asleep - 0.02)
      let due = min(bytes.count, burst + Int((now - start) * rate))
      guard send(bytes[sent..<max(sent, due)], to: connection) else { return false }
      sent = max(sent, due)
    }
    return true
  }

  private func send(_ bytes: ArraySlice<UInt8>, to connection: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(8_192)
      let count = part.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent.withLock { $0 += count }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits for `seconds`. Returns true as soon as the client disconnects.
  private func waitForDisconnect(_ connection: Int32, within seconds: Double) -> Bool {
    let end = monotonicSeconds() + seconds
    var buffer = [UInt8](repeating: 0, count: 512)
    while true {
      let left = max(0, end - monotonicSeconds())
      let milliseconds = Int32(min(left * 1000 + 0.999, 3_600_000))
      let real = TestClock.current.clock.realMilliseconds(milliseconds)
      if bk_wait_readable(connection, real) > 0, recv(connection, &buffer, 512, 0) <= 0 { return true }
      if left == 0 { return false }
    }
  }
}

extension ScriptedStation {
  /// The seconds between visits on the server's clock.
  public var pauses: [Double] {
    let times = visits.map(\.time)
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }
}
