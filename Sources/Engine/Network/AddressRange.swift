import Glibc

/// What kind of network an IP address belongs to (RFC 6890).
public enum AddressRange: Int, Sendable, CaseIterable {
  /// The internet.
  case global
  /// This machine: 127.0.0.0/8, ::1.
  case loopback
  /// This cable or cell: 169.254.0.0/16, fe80::/10.
  case linkLocal
  /// A home's or a company's network: RFC 1918, fc00::/7, fec0::/10, 64:ff9b:1::/48, and any that this machine is on.
  case privateUse
  /// A provider's network behind its address translation, and what tunnels make of it: 100.64.0.0/10.
  case shared
  /// 0.0.0.0/8 and ::, by which Linux means this machine.
  case unspecified
  /// Multicast, broadcast, benchmarks and what nobody was given: 224.0.0.0/3, 192.0.0.0/24, 198.18.0.0/15, ff00::/8.
  case reserved

  /// The range of an address of 4 or 16 bytes in network order; nil for any other count.
  ///
  /// An IPv6 address that stands for one of IPv4 (mapped, compatible, translated, NAT64, 6to4) has the range of that.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    switch bytes.count {
    case 4: self.init(bytes[0], bytes[1], bytes[2])
    case 16: self.init(sixteen: bytes)
    default: return nil
    }
  }

  /// The range of an address as text, an IPv6 one with or without brackets and zone; nil where it is a name.
  public init?(literal text: String) {
    guard let address = Self.bytes(literal: text) else { return nil }
    self.init(bytes: address)
  }

  private static func bytes(literal text: String) -> [UInt8]? {
    let bare = text.hasPrefix("[") ? text.dropFirst().prefix { $0 != "]" } : text[...]
    return AddressBytes(String(bare.prefix { $0 != "%" }))?.bytes
  }

  /// The range of an address as this machine sees it, of 4 or 16 bytes in network order; nil for any other count.
  ///
  /// An address of the internet that lies in a network of `links`, which this machine is on, is the owner's: a station
  /// sees one of them in each request.
  init?(bytes: [UInt8], links: @autoclosure () -> [LinkPrefix]) {
    self.init(bytes: bytes)
    guard self == .global else { return }
    if Self.isOnLink(bytes, links()) { self = .privateUse }
  }

  /// Whether an address of 4 or 16 bytes in network order lies in one of these networks.
  static func isOnLink(_ bytes: [UInt8], _ links: [LinkPrefix]) -> Bool {
    let plain = Self.mapped(bytes).map { Array($0) } ?? bytes
    return links.contains { $0.contains(plain) }
  }

  /// Whether an address as text lies in a network that this machine is on now; false where it is a name.
  package static func isOnLink(literal text: String) -> Bool {
    bytes(literal: text).map { isOnLink($0, LinkProbe.prefixes()) } ?? false
  }

  /// Whether an address as text is one of IPv6 that somebody's translator or tunnel makes one of IPv4: compatible,
  /// translated, NAT64 and 6to4. A mapped one is not: this machine itself writes an address of IPv4 so.
  package static func isTranslated(literal text: String) -> Bool {
    guard let bytes = bytes(literal: text), bytes.count == 16 else { return false }
    return translated(bytes) != nil || isLocalTranslation(bytes)
  }

  /// The range, as this machine sees it now, of an address as text; nil where it is a name.
  package init?(literalSeenHere text: String) {
    guard let address = Self.bytes(literal: text) else { return nil }
    self.init(bytes: address, links: LinkProbe.prefixes())
  }

  /// The range, as this machine sees it now, of a socket's address of so many bytes (`sockaddr(3type)`); nil where it
  /// is none of IPv4 or IPv6.
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

  /// The address of IPv4 that somebody's translator or tunnel makes of one of IPv6: ::a.b.c.d, ::ffff:0:a.b.c.d,
  /// 64:ff9b::a.b.c.d, 2002:a.b.c.d::; nil where none does.
  private static func translated(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let prefixes: [[UInt8]] = [
      [UInt8](repeating: 0, count: 12), [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
      [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    if bytes.starts(with: [0x20, 0x02]) { return bytes[2..<6] }
    return isPlain(bytes) || !prefixes.contains { bytes.starts(with: $0) } ? nil : bytes[12...]
  }

  /// Whether 16 bytes are :: or ::1.
  private static func isPlain(_ bytes: [UInt8]) -> Bool { bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1 }

  /// Whether 16 bytes are of a network's own NAT64 (RFC 8215).
  private static func isLocalTranslation(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1])
  }

  /// The address of IPv4 that is written as one of IPv6, ::ffff:a.b.c.d; nil where none is.
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

/// The bytes of an IP address in network order, read from text (`inet_pton(3)`).
struct AddressBytes {
  /// 4 or 16 of them.
  let bytes: [UInt8]

  /// Nil where the text is no address, without brackets and zone.
  init?(_ text: String) {
    var (four, sixteen) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
      bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
    } else {
      return nil
    }
  }
}

extension AddressRange {
  /// What a person reads of it, with its article: "a private address".
  var words: String {
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
