import Glibc

/// Which clients count as one where passwords are guessed and connections are held.
///
/// Those of one IPv4 address do. One machine may have all IPv6 addresses that share the first 64 bits, so these count
/// as one; not in a network that this machine is in itself, and not link-local ones: neighbours share the 64 bits.
public enum AddressGroup {
  /// An IPv6 network that this machine is in.
  public struct Network {
    /// An address in it, 16 bytes.
    let address: [UInt8]
    /// A bit for each that all its addresses share, 16 bytes.
    let mask: [UInt8]

    /// Whether an address is in it. What is larger than a network of neighbours holds none.
    func holds(_ other: [UInt8]) -> Bool {
      mask.prefix(8).allSatisfy { $0 == 0xFF } && zip(other, zip(address, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
    }
  }

  /// The name of the group of an address of 4 or 16 bytes in network order.
  public static func name(of address: [UInt8], beside networks: @autoclosure () -> [Network]) -> String {
    guard address.count == 16 else { return address.map { String($0) }.joined(separator: ".") }
    let isLinkLocal = address[0] == 0xFE && address[1] & 0xC0 == 0x80
    let isNeighbour = isLinkLocal || networks().contains { $0.holds(address) }
    return address.prefix(isNeighbour ? 16 : 8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// The IPv6 networks that this machine is in now (`getifaddrs(3)`).
  public static var own: [Network] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var networks: [Network] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = bytes(of: entry.ifa_addr), let mask = bytes(of: entry.ifa_netmask) else { continue }
      networks.append(Network(address: address, mask: mask))
    }
    return networks
  }

  /// The 16 bytes of an IPv6 address; nil for any other.
  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address, Int32(address.pointee.sa_family) == AF_INET6 else { return nil }
    return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
      withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
    }
  }
}

extension AddressGroup.Network {
  /// The network of an address of 16 bytes, of which all addresses share the first 64 bits; nil for other addresses.
  public init?(around address: [UInt8]) {
    guard address.count == 16 else { return nil }
    self.init(address: address, mask: (0..<16).map { $0 < 8 ? 0xFF : 0 })
  }
}
