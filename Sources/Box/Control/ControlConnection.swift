import CLinux
import Glibc
import System
import Units

/// A client's connection to a running radio over its Unix socket. It waits for answers, and belongs to one thread.
public final class ControlConnection {
  /// Why nothing is answered.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// Nobody serves the socket (`connect(2)`).
    case noRadio(String, errno: Int32)
    /// What answers is no radio, or it hung up.
    case hungUp(String)
    /// No answer came in time.
    case silent(String)
    /// The radio refused the command.
    case refused(code: Int, message: String)

    /// A sentence for people.
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

  /// Can be read when something came.
  public var descriptor: Int32 { socket.raw }
  private let socket: Descriptor
  private let path: String
  private var heard: [UInt8] = []
  /// When all of it has to be answered; nil: a line at a time.
  private let limit: (end: MonotonicTime, clock: Clock)?
  /// A line is in coming for so long at most.
  private static let patience = Duration(milliseconds: 10_000)
  /// More is not kept of what has no line's end.
  private static let longest = 1 << 20

  /// Connects to the radio that serves a path. A line that does not come within 10 s is a failure, and all that is not
  /// answered at the end of the limit, by its clock.
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

  /// Sends a command, its arguments quoted, and gives the lines of its answer; `waits`: however long it is in coming.
  public func ask(_ words: [String], waits: Bool = false) throws(Failure) -> [String] {
    try ask(bytes: words.map { Array($0.utf8) }, waits: waits)
  }

  /// The same of words that need not be UTF-8: the radio is sent each byte of them.
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

  /// The next line, however long it is in coming.
  public func next() throws(Failure) -> String {
    while true {
      if let line = takeLine() { return line }
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
      if let line = takeLine() { return line }
      try read(within: Self.patience(limit).milliseconds, orFail: true)
    }
  }

  private static func patience(_ limit: (end: MonotonicTime, clock: Clock)?) -> Duration {
    guard let limit else { return patience }
    return max(.zero, min(patience, limit.end - limit.clock.now()))
  }

  private func takeLine() -> String? {
    guard let end = heard.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { heard.removeFirst(end + 1) }
    return String(decoding: heard[..<end], as: UTF8.self)
  }

  private func read(within milliseconds: Int32, orFail: Bool) throws(Failure) {
    guard bk_wait_readable(descriptor, milliseconds) > 0 else {
      if orFail { throw .silent(path) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { return }
    guard count > 0, heard.count < Self.longest else { throw .hungUp(path) }
    heard += buffer[..<count]
  }

  private static func refusal(_ line: String) -> Failure {
    let code = Int(line.dropFirst("ACK [".count).prefix { $0 != "@" }) ?? 0
    let message = line.firstIndex(of: "}").map { line[line.index(after: $0)...].drop { $0 == " " } } ?? ""
    return .refused(code: code, message: String(message))
  }
}
