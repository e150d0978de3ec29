import Glibc
import System

/// A TCP socket that accepts connections on one numeric address.
struct ListeningSocket: ~Copyable {
  let descriptor: Descriptor
  /// The actual port, also if 0 was requested.
  let port: UInt16

  /// Opens the socket (`getaddrinfo` without names, `socket`, `bind`, `listen`).
  ///
  /// - Throws: `cannotListen`.
  init(address: String, port: UInt16) throws(StationError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(address, String(port), &hints, &found)
    guard status == 0, let facts = found?.pointee else {
      throw .cannotListen(address: address, port: port, reason: "it is not a numeric IP address")
    }
    defer { freeaddrinfo(found) }
    let descriptor = Descriptor(socket(facts.ai_family, facts.ai_socktype, facts.ai_protocol))
    var yes: Int32 = 1
    setsockopt(descriptor.raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard descriptor.isOpen, bind(descriptor.raw, facts.ai_addr, facts.ai_addrlen) == 0, listen(descriptor.raw, 64) == 0
    else { throw .cannotListen(address: address, port: port, reason: .lastError) }
    descriptor.makeNonblocking()
    self.port = SocketAddress.own(of: descriptor.raw).port
    self.descriptor = descriptor
  }

  /// Accepts a pending connection. Limits its send buffer in the kernel, because a client may be slow.
  func accept() -> Accepted {
    let connection = Descriptor(Glibc.accept(descriptor.raw, nil, nil))
    guard connection.isOpen else {
      return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .exhausted : .none
    }
    connection.makeNonblocking()
    var size: Int32 = 64 << 10
    setsockopt(connection.raw, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    return .connection(connection)
  }

  enum Accepted: ~Copyable {
    case connection(Descriptor)
    case none
    case exhausted
  }
}
