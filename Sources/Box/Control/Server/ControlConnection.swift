import CLinux
import Glibc
import System
import Units

/// A client's blocking connection to a running radio over its Unix socket. Use from one thread only.
public final class ControlConnection {
  /// Reasons for a missing reply.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// The connection failed (`connect(2)`), usually without a running radio.
    case noRadio(String, errno: Int32)
    /// The peer is not a radio, or closed the connection.
    case hungUp(String)
    /// The reply did not arrive in time.
    case silent(String)
    case refused(code: Int, message: String)

    /// A sentence for users.
    public var description: String {
      switch self {
      case .noRadio(let path, EACCES):
        "The socket \(path) lets only its group in; join that group (`ls -l \(path)` names it), or become root."
      case .noRadio(let path, _): "No radio answers at \(path); is bakelited running?"
      case .hungUp(let path): "The radio at \(path) hung up."
      case .silent(let path): "The radio at \(path) does not answer."
      case .refused(_, let message): "The radio refused: \(message)"
      }
    }
  }

  /// The descriptor to poll for input.
  public var descriptor: Int32 { socket.raw }
  private let socket: Descriptor
  private let path: String
  private var received: [UInt8] = []
  /// The end of the wait for all replies; nil for only `patience`.
  private let limit: (end: MonotonicTime, clock: Clock)?
  /// Maximum wait for the next bytes of a line.
  private static let patience = Duration(milliseconds: 10_000)
  /// Maximum buffered bytes without a newline.
  private static let maxLineByteCount = 1 << 20

  /// Connects to the radio at `path`. A request fails after 10 s without bytes, or when `limit` ends.
  public init(_ path: String, limit: (end: MonotonicTime, clock: Clock)? = nil) throws(Failure) {
    (self.path, self.limit) = (path, limit)
    var found: Int32?
    do throws(ControlError) { found = try UnixSocket.connect(to: path, within: Self.patience(limit)) } catch {
      errno = ENAMETOOLONG
    }
    guard let found else { throw errno == EAGAIN ? .silent(path) : .noRadio(path, errno: errno) }
    socket = Descriptor(found)
    guard try line().hasPrefix("OK MPD ") else { throw .hungUp(path) }
  }

  /// Sends a command with quoted arguments and returns the lines of the reply. `waits`: true for a wait without a
  /// timeout.
  public func ask(_ words: [String], waits: Bool = false) throws(Failure) -> [String] {
    try ask(bytes: words.map { Array($0.utf8) }, waits: waits)
  }

  /// Sends a command with arguments of any bytes, even invalid UTF-8. Returns the lines of the reply.
  public func ask(bytes words: [[UInt8]], waits: Bool = false) throws(Failure) -> [String] {
    try send(words)
    var lines: [String] = []
    while true {
      let next = try waits ? next() : line()
      if next == "OK" { return lines }
      if next.hasPrefix("ACK [") { throw Self.refusal(next) }
      lines.append(next)
    }
  }

  /// Returns the next line; waits without a timeout.
  public func next() throws(Failure) -> String {
    while true {
      if let line = removeLine() { return line }
      try read(within: -1, orFail: false)
    }
  }

  private func send(_ words: [[UInt8]]) throws(Failure) {
    var rest = ControlRequest.line(words)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { throw .silent(path) }
      guard count > 0 else { throw .hungUp(path) }
      rest.removeFirst(count)
    }
  }

  private func line() throws(Failure) -> String {
    while true {
      if let line = removeLine() { return line }
      try read(within: Self.patience(limit).milliseconds, orFail: true)
    }
  }

  private static func patience(_ limit: (end: MonotonicTime, clock: Clock)?) -> Duration {
    guard let limit else { return patience }
    return max(.zero, min(patience, limit.end - limit.clock.now()))
  }

  private func removeLine() -> String? {
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { received.removeFirst(end + 1) }
    return String(decoding: received[..<end], as: UTF8.self)
  }

  private func read(within milliseconds: Int32, orFail: Bool) throws(Failure) {
    guard bk_wait_readable(descriptor, milliseconds) > 0 else {
      if orFail { throw .silent(path) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { return }
    guard count > 0, received.count < Self.maxLineByteCount else { throw .hungUp(path) }
    received += buffer[..<count]
  }

  private static func refusal(_ line: String) -> Failure {
    let code = Int(line.dropFirst("ACK [".count).prefix { $0 != "@" }) ?? 0
    let message = line.firstIndex(of: "}").map { line[line.index(after: $0)...].drop { $0 == " " } } ?? ""
    return .refused(code: code, message: String(message))
  }
}
