import Units

/// The addresses to which a request may lead.
///
/// The listener's own address may lead anywhere. An address from a list, a feed or a redirect is restricted. It must
/// not lead into a foreign private network, or to a port of another service.
public enum AddressPolicy: Equatable, Sendable {
  case anywhere
  /// A list, a feed or a redirect named the address. `homes`: address ranges of the listener's own host. `port`: the
  /// port in the listener's own address; nil if absent.
  case named(homes: Set<AddressRange>, port: Int?)

  /// Creates the policy for addresses in a list from `source`, such as a station directory. If `source` is in a private
  /// network, the list may lead into this network.
  public init(namedBy source: StationAddress) {
    let host = (try? WebAddress(source))?.host ?? ""
    let range = host == "localhost" ? .loopback : AddressRange(literal: host)
    self = .named(homes: range.map { [$0] } ?? [], port: nil)
  }

  /// Creates the policy for a remembered address. `isNamed`: true if a directory named the address and `allows`
  /// accepted it.
  public init(remembered address: StationAddress, isNamed: Bool) {
    self = isNamed ? AddressPolicy(namedBy: address) : .anywhere
  }

  /// Returns true if an address may be requested, judged by its text. A host name is checked again on connect.
  public func allows(_ address: StationAddress) -> Bool {
    if self == .anywhere { return true }
    do throws(NetworkError) {
      try check(try WebAddress(address))
      return true
    } catch {
      return false
    }
  }

  /// Returns true if addresses of that range may be connected to.
  public func allows(_ range: AddressRange) -> Bool {
    guard case .named(let homes, _) = self else { return true }
    return range == .global || homes.contains(range)
  }

  /// Returns true for ports 21, 80 to 109, 443 and above, and the listener's own port. Others belong to other services.
  public func allows(port: Int) -> Bool {
    guard case .named(_, let own) = self else { return true }
    switch port {
    case 21, 80..<110, 443...65_535: return true
    default: return port == own
    }
  }

  /// Checks the text of an address; a host name is checked after its lookup. Throws `refusedPort` or `outOfReach`.
  func check(_ address: WebAddress) throws(NetworkError) {
    if address.isFile { return }
    guard allows(port: address.port) else { throw .refusedPort(address.port) }
    if let range = AddressRange(literalSeenHere: address.host), !allows(range) { throw .outOfReach(range) }
  }

  /// Returns the policy for addresses named by a response from `address`. `home`: the range of its host; nil if
  /// unknown.
  func policyAfter(_ address: WebAddress, home: AddressRange?) -> AddressPolicy {
    guard case .anywhere = self else { return self }
    return .named(homes: home.map { [$0] } ?? [], port: address.port)
  }
}
