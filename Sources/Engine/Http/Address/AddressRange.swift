import Glibc
import System

/// The kind of network that an IP address belongs to (RFC 6890).
public enum AddressRange: Int, Sendable, CaseIterable {
  /// A public address of the internet.
  case global
  /// This machine: 127.0.0.0/8, ::1.
  case loopback
  /// The local link: 169.254.0.0/16, fe80::/10.
  case linkLocal
  /// A private network: RFC 1918, fc00::/7, fec0::/10, 64:ff9b:1::/48, and any network of this machine.
  case privateUse
  /// Shared address space of providers, for their address translation: 100.64.0.0/10.
  case shared
  /// 0.0.0.0/8 and ::, which Linux treats as this machine.
  case unspecified
  /// Multicast, broadcast, benchmarks and unassigned: 224.0.0.0/3, 192.0.0.0/24, 198.18.0.0/15, ff00::/8.
  case reserved

  /// Creates the range of an address of 4 or 16 bytes in network order; nil for any other count.
  ///
  /// IPv6 forms of an IPv4 address (mapped, compatible, translated, NAT64, 6to4) have the range of the IPv4 address.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    switch bytes.count {
    case 4: self.init(bytes[0], bytes[1], bytes[2])
    case 16: self.init(sixteen: bytes)
    default: return nil
    }
  }

  /// Creates the range of an address in text form, IPv6 with or without brackets and zone; nil for a host name.
  public init?(literal text: String) {
    guard let address = Self.bytes(literal: text) else { return nil }
    self.init(bytes: address)
  }

  private static func bytes(literal text: String) -> [UInt8]? {
    let bare = text.hasPrefix("[") ? text.dropFirst().prefix { $0 != "]" } : text[...]
    return SocketAddress.literalBytes(of: String(bare.prefix { $0 != "%" }))
  }

  /// Creates the range as seen by this machine: a global address in one of its networks (`links`) counts as private. A
  /// station sees one address of this network in each request, and could name other addresses of the network.
  init?(bytes: [UInt8], links: @autoclosure () -> [LinkPrefix]) {
    self.init(bytes: bytes)
    guard self == .global else { return }
    if Self.isOnLink(bytes, links()) { self = .privateUse }
  }

  static func isOnLink(_ bytes: [UInt8], _ links: [LinkPrefix]) -> Bool {
    let plain = Self.mapped(bytes).map { Array($0) } ?? bytes
    return links.contains { $0.contains(plain) }
  }

  /// True if an address in text form lies in a network of this machine; false for a host name.
  package static func isOnLink(literal text: String) -> Bool {
    bytes(literal: text).map { isOnLink($0, LinkProbe.prefixes()) } ?? false
  }

  /// True if a translator or tunnel turns an IPv6 address into an IPv4 address: compatible, translated, NAT64, 6to4.
  /// False for mapped addresses, since this machine itself writes IPv4 addresses in that form.
  package static func isTranslated(literal text: String) -> Bool {
    guard let bytes = bytes(literal: text), bytes.count == 16 else { return false }
    return translated(bytes) != nil || isLocalTranslation(bytes)
  }

  /// Creates the range, as seen by this machine, of an address in text form; nil for a host name.
  package init?(literalSeenHere text: String) {
    guard let address = Self.bytes(literal: text) else { return nil }
    self.init(bytes: address, links: LinkProbe.prefixes())
  }

  /// Creates the range, as seen by this machine, of a socket address (`sockaddr(3type)`); nil if not IPv4 or IPv6.
  init?(socketAddress: UnsafeRawPointer, family: Int32, byteCount: Int) {
    let whole = UnsafeRawBufferPointer(start: socketAddress, count: max(0, byteCount))
    switch family {
    case AF_INET where whole.count >= 8: self.init(bytes: Array(whole[4..<8]), links: LinkProbe.prefixes())
    case AF_INET6 where whole.count >= 24: self.init(bytes: Array(whole[8..<24]), links: LinkProbe.prefixes())
    default: return nil
    }
  }

  private init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    self =
      switch (first, second, third) {
      case (0, _, _): .unspecified
      case (127, _, _): .loopback
      case (10, _, _), (172, 16...31, _), (192, 168, _): .privateUse
      case (169, 254, _): .linkLocal
      case (100, 64...127, _): .shared
      case (192, 0, 0), (198, 18...19, _), (224..., _, _): .reserved
      default: .global
      }
  }

  /// Returns the IPv4 address in ::a.b.c.d, ::ffff:0:a.b.c.d, 64:ff9b::a.b.c.d or 2002:a.b.c.d::; nil for other
  /// addresses.
  private static func translated(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let prefixes: [[UInt8]] = [
      [UInt8](repeating: 0, count: 12), [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
      [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    if bytes.starts(with: [0x20, 0x02]) { return bytes[2..<6] }
    return isPlain(bytes) || !prefixes.contains { bytes.starts(with: $0) } ? nil : bytes[12...]
  }

  private static func isPlain(_ bytes: [UInt8]) -> Bool { bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1 }

  /// True for the prefix of local NAT64, 64:ff9b:1::/48 (RFC 8215).
  private static func isLocalTranslation(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1])
  }

  private static func mapped(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? bytes[12...] : nil
  }

  private init(sixteen bytes: [UInt8]) {
    if let four = Self.mapped(bytes) ?? Self.translated(bytes) {
      let four = Array(four)
      self.init(four[0], four[1], four[2])
      return
    }
    switch (bytes[0], bytes[1]) {
    case _ where Self.isPlain(bytes): self = bytes[15] == 0 ? .unspecified : .loopback
    case _ where Self.isLocalTranslation(bytes): self = .privateUse
    case (0xFC...0xFD, _), (0xFE, 0xC0...): self = .privateUse
    case (0xFE, 0x80...0xBF): self = .linkLocal
    case (0xFF, _): self = .reserved
    default: self = .global
    }
  }
}

extension AddressRange {
  package var words: String {
    switch self {
    case .global: "an address of the internet"
    case .loopback, .unspecified: "an address of this machine"
    case .linkLocal: "a link-local address"
    case .privateUse: "a private address"
    case .shared: "an address of the provider's own network"
    case .reserved: "a reserved address"
    }
  }
}
