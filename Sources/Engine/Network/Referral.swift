/// Who named an address that the listener did not give: a list or a feed, at the end of the listener's own address.
///
/// It says what of the listener's goes to such an address, and where that may lead.
public final class Referral: Sendable {
  /// The address that the listener gave; name, password, headers and query were given for its host.
  let owner: WebAddress
  /// Where an address that was named so may lead; a list on this machine is the listener's own word.
  let reach: Reach
  private let trust: Trust
  /// Whether it is a podcast's feed.
  let isFeed: Bool

  /// To whom the listener's name and password may go.
  private enum Trust: Equatable {
    /// To the host that they were given for, and nowhere else.
    case owner
    /// The listener's own playlist names the addresses: to the station that it names too. It came by https or not.
    case playlist(isSecure: Bool)
  }

  /// What the answer to the listener's own address names.
  ///
  /// - Parameters:
  ///   - owner: The listener's own address.
  ///   - home: Where its host was found; nil where that is not known.
  ///   - source: Where its redirects led.
  ///   - isFeed: Whether it is a podcast's feed: episodes lie with whoever the podcast pays for that.
  init(of owner: WebAddress, home: AddressRange?, from source: WebAddress, isFeed: Bool) {
    self.owner = owner
    reach = owner.isFile ? .anywhere : Reach.anywhere.behind(owner, home: home)
    let isSecure = [owner.scheme, source.scheme].contains("https")
    trust = !isFeed && owner.mayShareSecrets(with: source) ? .playlist(isSecure: isSecure) : .owner
    self.isFeed = isFeed
  }

  /// What a list or a feed at `address` names that was itself named by one.
  init(behind other: Referral, at address: WebAddress, home: AddressRange?, isFeed: Bool) {
    (owner, trust, self.isFeed) = (other.owner, .owner, isFeed)
    reach = other.reach.behind(address, home: home)
  }

  /// Whether name, password, headers and query go to an address that was named so: on the host that they were given
  /// for, and to the stream that the listener's own playlist names, but not there from https to http.
  func entrusts(_ address: WebAddress) -> Bool {
    if owner.mayShareSecrets(with: address) { return true }
    guard case .playlist(let isSecure) = trust else { return false }
    return address.scheme == "https" || !isSecure
  }
}

extension Referral: Equatable {
  /// Whether the same follows from both.
  public static func == (one: Referral, other: Referral) -> Bool {
    (one.owner, one.reach, one.trust, one.isFeed) == (other.owner, other.reach, other.trust, other.isFeed)
  }
}
