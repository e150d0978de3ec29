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
