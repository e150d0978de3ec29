import Units

/// Where a request may lead: anywhere for an address that the listener gave; for one that a list, a feed or a redirect
/// names, neither into a network that it has no business in, nor to a port of another service.
public enum Reach: Equatable, Sendable {
  /// The listener gave the address.
  case anywhere
  /// Somebody else named it. `homes` are the ranges in which the host of the listener's own address was found, and
  /// `port` is the port that the listener's own address names; nil where it names none.
  case named(homes: Set<AddressRange>, port: Int?)

  /// What a list may name that came from `source`, such as a station directory: a list of the owner's own network may
  /// lead into that.
  public init(namedBy source: StationAddress) {
    let host = (try? WebAddress(source))?.host ?? ""
    let range = host == "localhost" ? .loopback : AddressRange(literal: host)
    self = .named(homes: range.map { [$0] } ?? [], port: nil)
  }

  /// The reach of an address that is remembered: `isNamed` where a directory named it, after a check by `allows`.
  public init(remembered address: StationAddress, isNamed: Bool) {
    self = isNamed ? Reach(namedBy: address) : .anywhere
  }

  /// Whether an address may be asked, by what it tells by itself. A name may still lead elsewhere, which is refused
  /// when it is connected to.
  public func allows(_ address: StationAddress) -> Bool {
    if self == .anywhere { return true }
    do throws(NetworkError) {
      try check(try WebAddress(address))
      return true
    } catch {
      return false
    }
  }

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
