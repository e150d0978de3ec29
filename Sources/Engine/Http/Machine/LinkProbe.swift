import Glibc
import System

/// Reads the state of the machine's network interfaces.
public enum LinkProbe {
  /// Returns true if an interface other than loopback is up, has a carrier and an address beyond its link. Also true if
  /// the interfaces cannot be read.
  public static func hasRoute() -> Bool {
    InterfaceAddress.all()?.contains { isLinked($0.flags) && isRoutable($0.bytes) } ?? true
  }

  /// Returns true if no interface reaches other networks: without a link, or without a default route.
  public static func isOffline() -> Bool { !hasRoute() || !RouteTable.hasDefault() }

  /// Returns the networks of the interfaces that are up; empty if they cannot be read.
  static func prefixes() -> [LinkPrefix] {
    let addresses = (InterfaceAddress.all() ?? []).filter { $0.flags & IFF_UP != 0 }
    return addresses.compactMap { LinkPrefix($0.bytes, mask: $0.mask ?? $0.bytes.map { _ in 0xFF }) }
  }

  private static func isLinked(_ flags: Int) -> Bool {
    flags & (IFF_UP | IFF_RUNNING | IFF_LOOPBACK) == IFF_UP | IFF_RUNNING
  }

  /// Excludes 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291, 2.5.6).
  private static func isRoutable(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4 ? !bytes.starts(with: [0xA9, 0xFE]) : !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
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
