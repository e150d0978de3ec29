/// The origin of an address: a list or a feed reached from the listener's own address.
///
/// Determines the permitted targets of the address, and which of the listener's secrets these targets may receive.
public final class AddressOrigin: Sendable {
  /// The listener's own address; name, password, headers and query were given for its host.
  package let owner: WebAddress
  /// Permitted targets of the named addresses. A local list counts as written by the listener, so it may name any
  /// target.
  package let reach: AddressPolicy
  private let trust: Trust
  package let isFeed: Bool

  /// Hosts that may receive the listener's name and password.
  private enum Trust: Equatable {
    case owner
    /// Also the stations in the listener's own playlist. `isSecure`: true if the playlist arrived by https.
    case playlist(isSecure: Bool)
  }

  /// Creates the origin of addresses in the response to the listener's own address. `source`: that address after
  /// redirects. Addresses in a feed receive no secrets, since episodes lie on hosts of third parties.
  package init(of owner: WebAddress, home: AddressRange?, from source: WebAddress, isFeed: Bool) {
    self.owner = owner
    reach = owner.isFile ? .anywhere : AddressPolicy.anywhere.policyAfter(owner, home: home)
    let isSecure = [owner.scheme, source.scheme].contains("https")
    trust = !isFeed && owner.mayShareSecrets(with: source) ? .playlist(isSecure: isSecure) : .owner
    self.isFeed = isFeed
  }

  /// Creates the origin of addresses in a list or a feed at `address`. `other`: the origin of `address`.
  package init(behind other: AddressOrigin, at address: WebAddress, home: AddressRange?, isFeed: Bool) {
    (owner, trust, self.isFeed) = (other.owner, .owner, isFeed)
    reach = other.reach.policyAfter(address, home: home)
  }

  /// Returns true if secrets may go to `address`: the owner's host, or a playlist's stream, but not from https to http.
  package func allowsSecrets(_ address: WebAddress) -> Bool {
    if owner.mayShareSecrets(with: address) { return true }
    guard case .playlist(let isSecure) = trust else { return false }
    return address.scheme == "https" || !isSecure
  }
}

extension AddressOrigin: Equatable {
  /// Compares all properties.
  public static func == (one: AddressOrigin, other: AddressOrigin) -> Bool {
    (one.owner, one.reach, one.trust, one.isFeed) == (other.owner, other.reach, other.trust, other.isFeed)
  }
}
