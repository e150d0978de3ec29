/// Where a request may lead: anywhere for an address that the listener gave; for one that a list, a feed or a redirect
/// names, neither into a network that it has no business in, nor to a port of another service.
public enum Reach: Equatable, Sendable {
  /// The listener gave the address.
  case anywhere
  /// Somebody else named it. `homes` are the ranges in which the host of the listener's own address was found, and
  /// `port` is the port that the listener's own address names; nil where it names none.
  case named(homes: Set<AddressRange>, port: Int?)

  /// Whether an address of a range may be connected to.
  public func allows(_ range: AddressRange) -> Bool {
    guard case .named(let homes, _) = self else { return true }
    return range == .global || homes.contains(range)
  }

  /// Whether a port may be connected to: not 1 … 79 but 21, nor 110 … 442, where other services than the web's listen.
  public func allows(port: Int) -> Bool {
    guard case .named(_, let own) = self else { return true }
    switch port {
    case 21, 80..<110, 443...65_535: return true
    default: return port == own
    }
  }

  /// Checks what an address tells by itself. A name is checked when it is known where that leads, at connect.
  ///
  /// - Throws: `refusedPort`, `outOfReach`.
  func check(_ address: WebAddress) throws(NetworkError) {
    if address.isFile { return }
    guard allows(port: address.port) else { throw .refusedPort(address.port) }
    if let range = AddressRange(literalSeenHere: address.host), !allows(range) { throw .outOfReach(range) }
  }

  /// What holds behind a redirect of `address`, whose host was found in the range `home`.
  func behind(_ address: WebAddress, home: AddressRange?) -> Reach {
    guard case .anywhere = self else { return self }
    return .named(homes: home.map { [$0] } ?? [], port: address.port)
  }
}
