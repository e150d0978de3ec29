import Glibc
import Units

extension ListenAddress {
  /// Reads a list, with commas or blanks between; an empty one has none.
  public static func list(_ text: String) throws(ControlError) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) {
      guard let address = ListenAddress(part) else { throw .badAddress(part) }
      addresses.append(address)
    }
    return addresses
  }

  /// A socket that listens here (`socket(2)`, `bind(2)`, `listen(2)`), and its port.
  func open() throws(ControlError) -> (descriptor: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host == "localhost" ? "127.0.0.1" : host, "\(port)", &hints, &found) == 0, let found else {
      throw .badAddress(description)
    }
    defer { freeaddrinfo(found) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if found.pointee.ai_family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      throw .refused(description, errno: code)
    }
    return (descriptor, Self.port(of: descriptor))
  }

  /// Where a connection comes from (`getpeername(2)`), as clients are counted (`AddressGroup`).
  static func peer(of descriptor: Int32) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bytes: [UInt8] = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getpeername(descriptor, $0, &length) }
      if Int32(storage.pointee.ss_family) == AF_INET6 {
        return storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
        }
      }
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
      }
    }
    return AddressGroup.name(of: bytes, beside: AddressGroup.own)
  }

  /// The port that a socket has (`getsockname(2)`).
  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
      // Of both families the port is the second word.
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }
}
