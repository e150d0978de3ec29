import Glibc

/// An end of a TCP connection or a listening socket: numeric address and port.
public struct SocketAddress: Equatable, Sendable {
  /// 4 or 16 bytes in network order; 4 for an IPv4 address mapped into IPv6. Empty for other sockets and after errors.
  public let bytes: [UInt8]
  /// The port.
  public let port: UInt16

  init(bytes: [UInt8], port: UInt16) { (self.bytes, self.port) = (bytes, port) }

  /// True if only this machine can reach the address.
  public var isLoopback: Bool { bytes.first == 127 && bytes.count == 4 || bytes == Self.bytes(of: "::1") }

  /// Returns the local end of a connection (`getsockname(2)`).
  public static func own(of descriptor: Int32) -> SocketAddress { SocketAddress(descriptor, getsockname) }

  /// Returns the remote end of a connection (`getpeername(2)`).
  public static func peer(of descriptor: Int32) -> SocketAddress { SocketAddress(descriptor, getpeername) }

  private typealias Call = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

  private init(_ descriptor: Int32, _ call: Call) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
    }
    let family = code == 0 ? Int32(storage.ss_family) : AF_UNSPEC
    let found: (bytes: [UInt8], port: UInt16) = withUnsafeBytes(of: storage) { raw in
      switch family {
      case AF_INET:
        let address = raw.loadUnaligned(as: sockaddr_in.self)
        return (withUnsafeBytes(of: address.sin_addr) { Array($0) }, UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let address = raw.loadUnaligned(as: sockaddr_in6.self)
        return (withUnsafeBytes(of: address.sin6_addr) { Array($0) }, UInt16(bigEndian: address.sin6_port))
      default: return ([], 0)
      }
    }
    (bytes, port) = (Self.unmapped(found.bytes), found.port)
  }

  /// Parses a numeric address like `literalBytes`; a mapped IPv4 address becomes 4 bytes.
  public static func bytes(of text: String) -> [UInt8]? { literalBytes(of: text).map(unmapped) }

  /// Parses a numeric address (`inet_pton(3)`), IPv6 without brackets and zone; nil if invalid.
  public static func literalBytes(of text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// Returns the IPv4 address mapped in an IPv6 address (::ffff:0:0/96), otherwise the same bytes.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].allSatisfy { $0 == 0xFF }
    return isMapped ? Array(bytes[12...]) : bytes
  }
}
