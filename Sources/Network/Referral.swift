/// Who named an address that the listener did not give: a list or a feed, at the end of the listener's own address.
///
/// It says what of the listener's goes to such an address, and where that may lead.
public final class Referral: Sendable {
  /// The address that the listener gave; name, password, headers and query were given for its host.
  let owner: WebAddress
  /// Where an address that was named so may lead; a list on this machine is the listener's own word.
  let reach: Reach
  /// Whether what names the addresses is the listener's own playlist: what it names is the station that was meant.
  private let isOwnPlaylist: Bool
  /// Whether the playlist came by https.
  private let isSecure: Bool
  /// Whether it is a podcast's feed.
  let isFeed: Bool

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
    isOwnPlaylist = !isFeed && owner.mayShareSecrets(with: source)
    isSecure = [owner.scheme, source.scheme].contains("https")
    self.isFeed = isFeed
  }

  /// What a list or a feed at `address` names that was itself named by one.
  init(behind other: Referral, at address: WebAddress, home: AddressRange?, isFeed: Bool) {
    (owner, isOwnPlaylist, isSecure, self.isFeed) = (other.owner, false, other.isSecure, isFeed)
    reach = other.reach.behind(address, home: home)
  }

  /// Whether name, password, headers and query go to an address that was named so: on the host that they were given
  /// for, and to the stream that the listener's own playlist names, but not there from https to http.
  func entrusts(_ address: WebAddress) -> Bool {
    owner.mayShareSecrets(with: address) || isOwnPlaylist && (address.scheme == "https" || !isSecure)
  }
}

extension Referral: Equatable {
  /// Whether the same follows from both.
  public static func == (one: Referral, other: Referral) -> Bool {
    (one.owner, one.reach) == (other.owner, other.reach)
      && (one.isOwnPlaylist, one.isSecure, one.isFeed) == (other.isOwnPlaylist, other.isSecure, other.isFeed)
  }
}
