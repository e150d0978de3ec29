import Foundation
import Glibc
import System

/// A server for line-based protocols on the loopback interface. A test's script runs for each connection.
public final class LineServer: Sendable {
  /// A connection with its own thread.
  public final class Connection: Sendable {
    /// The number of the connection, from 0.
    public let number: Int
    fileprivate let socket: Int32
    private let text = Locked("")

    fileprivate init(_ number: Int, _ socket: Int32) { (self.number, self.socket) = (number, socket) }

    /// Waits for a line. Returns the line without its end; nil if the client disconnected.
    public func readLine() -> String? {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let line = text.withLock { text -> String? in
          guard let end = text.firstIndex(where: \.isNewline) else { return nil }
          defer { text = String(text[text.index(after: end)...]) }
          return String(text[..<end])
        }
        if let line { return line }
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        text.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
      }
    }

    /// Sends text unchanged. Returns false if the client disconnected.
    @discardableResult
    public func send(_ text: String) -> Bool {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// The port of the server.
  public let port: Int
  private let listener: Int32
  private let open = Locked<[Int32]?>([])
  private let count = Locked(0)

  /// Listens on a free port. The connection is closed when `script` returns.
  public init(_ script: @escaping @Sendable (Connection) -> Void) throws {
    let (listener, port) = try Loopback.listen()
    (self.listener, self.port) = (listener, port)
    Thread.detachNewThread { [self] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { break }
        guard open.withLock({ $0?.append(socket) }) != nil else {
          Glibc.close(socket)
          break
        }
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        Thread.detachNewThread { [self] in
          script(Connection(number, socket))
          shutdown(socket, Int32(SHUT_RDWR))
          let isOpen = open.withLock { open in
            defer { open?.removeAll { $0 == socket } }
            return open != nil
          }
          if isOpen { Glibc.close(socket) }
        }
      }
      open.withLock { $0 = nil }
      Glibc.close(listener)
    }
  }

  /// Number of connections so far.
  public var connectionCount: Int { count.withLock { $0 } }

  /// Closes all connections and the listener. A second call does nothing, because the socket's number may already
  /// belong to another socket.
  public func close() {
    open.withLock { open in
      guard let sockets = open else { return }
      shutdown(listener, Int32(SHUT_RDWR))
      for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      open = nil
    }
  }
}

/// Sockets on the loopback interface.
public enum Loopback {
  /// Creates a socket that listens on a free port.
  public static func listen() throws -> (socket: Int32, port: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = address(port: 0)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) | Glibc.listen(listener, 64) | getsockname(listener, $0, &length)
      }
    }
    guard listener >= 0, result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, Int(in_port_t(bigEndian: address.sin_port)))
  }

  /// Returns a free port outside the kernel's range for automatic ports (`ip(7)`, ip_local_port_range). A restarted
  /// server can therefore use the port again.
  public static func freePort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<32_000)
      guard let taken = connection(to: port) else { return port }
      close(taken)
    }
    throw POSIXError(.EADDRINUSE)
  }

  /// Connects to a port. Returns nil if the connection is refused.
  public static func connection(to port: Int) -> Int32? {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = address(port: port)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code == 0 { return connection }
    close(connection)
    return nil
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
