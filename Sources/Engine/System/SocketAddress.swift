import Glibc

/// One end of a TCP connection, or of a socket that listens: its numeric address and port.
public struct SocketAddress: Equatable, Sendable {
  /// 4 or 16 bytes in network order; an IPv4 address that IPv6 carries has 4. None for other kinds of sockets.
  public let bytes: [UInt8]
  /// The port.
  public let port: UInt16

  /// An address and a port.
  init(bytes: [UInt8], port: UInt16) { (self.bytes, self.port) = (bytes, port) }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { bytes.first == 127 && bytes.count == 4 || bytes == Self.bytes(of: "::1") }

  /// This end of a connection (`getsockname(2)`).
  public static func own(of descriptor: Int32) -> SocketAddress { SocketAddress(descriptor, getsockname) }

  /// The other end (`getpeername(2)`).
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

  /// The address that a numeric text is (`inet_pton(3)`); nil where it is none. An IPv6 address has no brackets.
  public static func bytes(of text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return unmapped(bytes) }
    }
    return nil
  }

  /// The IPv4 address that an IPv6 address stands for (::ffff:0:0/96), else the same.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].allSatisfy { $0 == 0xFF }
    return isMapped ? Array(bytes[12...]) : bytes
  }
}
