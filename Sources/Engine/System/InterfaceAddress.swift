import Glibc

/// An IP address of a network interface (`getifaddrs(3)`).
public struct InterfaceAddress: Sendable {
  /// The address, 4 or 16 bytes in network order.
  public let bytes: [UInt8]
  /// The network mask, as long as the address; nil if unknown.
  public let mask: [UInt8]?
  /// The interface's flags, such as `IFF_UP`.
  public let flags: Int

  /// Returns all IP addresses of this machine; nil if its interfaces cannot be read.
  public static func all() -> [InterfaceAddress]? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var addresses: [InterfaceAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let bytes = Self.bytes(of: entry.ifa_addr) else { continue }
      let mask = Self.bytes(of: entry.ifa_netmask)
      addresses.append(InterfaceAddress(bytes: bytes, mask: mask, flags: Int(entry.ifa_flags)))
    }
    return addresses
  }

  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
  }
}
