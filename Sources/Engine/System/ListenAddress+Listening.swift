import Glibc
import Units

extension ListenAddress {
  /// The reason for a failed `listen`.
  public enum ListenError: Error, Equatable, Sendable {
    /// The host is neither a numeric address nor "localhost" (`getaddrinfo(3)`).
    case badAddress
    /// A system call failed, such as `bind(2)`.
    case refused(errno: Int32)
  }

  /// Opens a nonblocking listening socket, which the caller closes (`socket(2)`, `bind(2)`, `listen(2)`). `others`: all
  /// addresses of the service. The unspecified IPv6 address serves IPv4 too, unless `others` contain an IPv4 address.
  public func listen(among others: [ListenAddress] = []) throws(ListenError) -> (descriptor: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host == "localhost" ? "127.0.0.1" : host, "\(port)", &hints, &found) == 0, let found else {
      throw .badAddress
    }
    defer { freeaddrinfo(found) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { throw .refused(errno: errno) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if found.pointee.ai_family == AF_INET6 {
      var isAlone: Int32 = servesBothFamilies(among: others) ? 0 : 1
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isAlone, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, Glibc.listen(descriptor, 64) == 0
    else {
      let code = errno
      close(descriptor)
      throw .refused(errno: code)
    }
    return (descriptor, SocketAddress.own(of: descriptor).port)
  }
}
