/// Groups client addresses for limits on password attempts and connections.
///
/// An IPv4 address is a group. IPv6 addresses with the same first 64 bits form a group, because one machine may own all
/// of them. Neighbours share these bits. Therefore a link-local address, or an address in this machine's networks, is
/// its own group.
public enum AddressGroup {
  /// An IPv6 network of this machine.
  public struct Network {
    /// An address in the network, 16 bytes.
    let address: [UInt8]
    /// The network mask, 16 bytes.
    let mask: [UInt8]

    /// Returns true if the network contains an address. Always false for a prefix shorter than 64 bits.
    func holds(_ other: [UInt8]) -> Bool {
      mask.prefix(8).allSatisfy { $0 == 0xFF } && zip(other, zip(address, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
    }
  }

  /// Returns the group name of an address, 4 or 16 bytes in network order; `networks` are this machine's.
  public static func name(of address: [UInt8], beside networks: @autoclosure () -> [Network]) -> String {
    guard address.count == 16 else { return address.map { String($0) }.joined(separator: ".") }
    let isLinkLocal = address[0] == 0xFE && address[1] & 0xC0 == 0x80
    let isNeighbour = isLinkLocal || networks().contains { $0.holds(address) }
    return address.prefix(isNeighbour ? 16 : 8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Returns the name of an address's network: an IPv4 address itself, or the first 64 bits of an IPv6 address, also in
  /// this machine's networks. One machine may use any number of addresses there.
  public static func network(of address: [UInt8]) -> String {
    (address.count == 16 ? address.prefix(8).map { String($0, radix: 16) } : address.map { String($0) })
      .joined(separator: address.count == 16 ? ":" : ".")
  }

  /// The current IPv6 networks of this machine (`getifaddrs(3)`).
  public static var own: [Network] {
    let addresses = (InterfaceAddress.all() ?? []).filter { $0.bytes.count == 16 }
    return addresses.compactMap { own in own.mask.map { Network(address: own.bytes, mask: $0) } }
  }
}

extension AddressGroup.Network {
  /// Creates the /64 network around an address of 16 bytes; nil for other addresses.
  public init?(around address: [UInt8]) {
    guard address.count == 16 else { return nil }
    self.init(address: address, mask: (0..<16).map { $0 < 8 ? 0xFF : 0 })
  }
}
