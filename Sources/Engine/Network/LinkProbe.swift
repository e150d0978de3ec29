import Glibc

/// A look at the machine's own network.
public enum LinkProbe {
  /// Whether an interface other than loopback is up, carries a signal and has an address that reaches beyond its link
  /// (`getifaddrs(3)`); where it cannot be read, true.
  public static func hasRoute() -> Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return true }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      if isLinked(entry.pointee.ifa_flags), let address = entry.pointee.ifa_addr, isRoutable(address) { return true }
      next = entry.pointee.ifa_next
    }
    return false
  }

  /// What this machine's interfaces that are up are on (`getifaddrs(3)`); none where that cannot be read.
  static func prefixes() -> [LinkPrefix] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var prefixes: [LinkPrefix] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard Int(entry.pointee.ifa_flags) & IFF_UP != 0, let address = bytes(entry.pointee.ifa_addr) else { continue }
      let mask = bytes(entry.pointee.ifa_netmask) ?? address.map { _ in 0xFF }
      if let prefix = LinkPrefix(address, mask: mask) { prefixes.append(prefix) }
    }
    return prefixes
  }

  /// The address in network order; nil where it is none of IPv4 or IPv6.
  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
  }

  private static func isLinked(_ flags: UInt32) -> Bool {
    Int(flags) & (IFF_UP | IFF_RUNNING | IFF_LOOPBACK) == IFF_UP | IFF_RUNNING
  }

  /// Neither 169.254.0.0/16 (RFC 3927) nor fe80::/10 (RFC 4291, 2.5.6).
  private static func isRoutable(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let host = UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr)
      return host >> 16 != 0xA9FE
    case AF_INET6:
      let host = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      return withUnsafeBytes(of: host) { !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
    default: return false
    }
  }
}

/// The addresses of one of this machine's own networks, which it reaches without a router.
struct LinkPrefix: Hashable, Sendable {
  /// One of them in network order, 4 or 16 bytes.
  private let bytes: [UInt8]
  /// So many of its first bits are those of all.
  private let bitCount: Int

  /// The network of an interface's address; nil where the mask says that it is every address.
  init?(_ bytes: [UInt8], mask: [UInt8]) {
    let ones = mask.prefix { $0 == 0xFF }.count
    let rest = ones < mask.count ? (~mask[ones]).leadingZeroBitCount : 0
    let count = min(8 * ones + rest, 8 * bytes.count)
    guard count > 0 else { return nil }
    self.bytes = bytes
    // A link of IPv6 has 64 bits (RFC 4291, 2.5.4), though DHCPv6 gives its addresses a mask of 128.
    bitCount = bytes.count == 16 ? min(64, count) : count
  }

  /// Whether an address, 4 or 16 bytes in network order, is one of them.
  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == bytes.count else { return false }
    let (whole, rest) = bitCount.quotientAndRemainder(dividingBy: 8)
    guard address[..<whole] == bytes[..<whole] else { return false }
    return rest == 0 || (address[whole] ^ bytes[whole]).leadingZeroBitCount >= rest
  }
}
