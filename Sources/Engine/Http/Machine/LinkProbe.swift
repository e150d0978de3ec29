import Glibc

/// Reads the state of the machine's network interfaces.
public enum LinkProbe {
  /// Returns true if an interface other than loopback is up, has a carrier and an address beyond its link
  /// (`getifaddrs(3)`). Also true if the interfaces cannot be read.
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

  /// Returns the networks of the interfaces that are up (`getifaddrs(3)`); empty if they cannot be read.
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

  /// Excludes 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291, 2.5.6).
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

/// The address prefix of a network that this machine reaches without a router.
struct LinkPrefix: Hashable, Sendable {
  /// An address of the network in network order, 4 or 16 bytes.
  private let bytes: [UInt8]
  private let bitCount: Int

  /// Creates the prefix of an interface's network; nil if the mask covers every address.
  init?(_ bytes: [UInt8], mask: [UInt8]) {
    let ones = mask.prefix { $0 == 0xFF }.count
    let rest = ones < mask.count ? (~mask[ones]).leadingZeroBitCount : 0
    let count = min(8 * ones + rest, 8 * bytes.count)
    guard count > 0 else { return nil }
    self.bytes = bytes
    // An IPv6 link has 64 bits (RFC 4291, 2.5.4), though DHCPv6 assigns addresses with a mask of 128.
    bitCount = bytes.count == 16 ? min(64, count) : count
  }

  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == bytes.count else { return false }
    let (whole, rest) = bitCount.quotientAndRemainder(dividingBy: 8)
    guard address[..<whole] == bytes[..<whole] else { return false }
    return rest == 0 || (address[whole] ^ bytes[whole]).leadingZeroBitCount >= rest
  }
}
