import Foundation
import Glibc
import System

/// A TCP server on 127.0.0.1 that answers every connection with a scripted response.
final class ScriptedServer: Sendable {
  enum Step: Sendable {
    case bytes([UInt8])
    /// Single bytes, each in its own packet as far as the kernel allows.
    case bytewise(String)
    /// Waits for a call to `open`.
    case gate
    /// Waits until the client disconnects.
    case hold
    /// Resets the connection with RST.
    case reset

    static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
  }

  let port: Int
  private let listener: Int32
  private let heard = Locked<[String]>([])
  private let isClosed = Locked(false)
  private let gate = DispatchSemaphore(value: 0)

  /// Called with each connection before the first read.
  private let onConnection: @Sendable (Int32) -> Void

  /// `script` returns the response for a request's head.
  init(
    onConnection: @escaping @Sendable (Int32) -> Void = { _ in },
    _ script: @escaping @Sendable (_ request: String) -> [Step]
  ) throws {
    self.onConnection = onConnection
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) + listen(listener, 16) + getsockname(listener, $0, &length)
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 {
          isClosed.withLock { $0 = true }
          Glibc.close(listener)
          return
        }
        Thread.detachNewThread { [self] in serve(connection, script) }
      }
    }
  }

  convenience init(_ steps: Step...) throws { try self.init { _ in steps } }

  convenience init(_ steps: [Step]) throws { try self.init { _ in steps } }

  convenience init(answering text: String) throws { try self.init(.text(text)) }

  var requests: [String] { heard.withLock { $0 } }

  /// Opens the gate for one connection.
  func open() { gate.signal() }

  /// Stops accepting connections. The accepting thread closes the socket, since its number may be reused after that.
  func close() {
    isClosed.withLock {
      if !$0 { shutdown(listener, Int32(SHUT_RDWR)) }
      $0 = true
    }
  }

  func url(_ path: String = "/live", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  private func serve(_ connection: Int32, _ script: (String) -> [Step]) {
    defer { Glibc.close(connection) }
    onConnection(connection)
    var noDelay: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      if recv(connection, &byte, 1, 0) <= 0 { return }
      head.append(byte)
    }
    let request = String(decoding: head, as: UTF8.self)
    heard.withLock { $0.append(request) }
    for step in script(request) {
      switch step {
      case .bytes(let bytes): if !send(bytes, to: connection) { return }
      case .bytewise(let text): for byte in text.utf8 where !send([byte], to: connection) { return }
      case .gate: gate.wait()
      case .hold: while recv(connection, &byte, 1, 0) > 0 {}
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return
      }
    }
    shutdown(connection, Int32(SHUT_WR))
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }
}
