/// The registered part of a web address: "example.co.uk" of "https://www.example.co.uk/radio".
///
/// Works without the list of public suffixes. The domain is the last two labels; three if the second to last label is a
/// common category ("co", "com", "org" …). A numeric address is its own domain. On some shared services, the domain
/// includes the path, because each page has another owner.
public struct WebDomain: Hashable, Sendable, CustomStringConvertible {
  /// The domain in lower case.
  public let description: String

  private static let kinds: Set<Substring> = [
    "ac", "co", "com", "edu", "gob", "gov", "gv", "info", "mil", "muni", "ne", "net", "nom", "or", "org", "web",
  ]
  private static let shared: Set<String> = [
    "facebook.com", "instagram.com", "twitter.com", "x.com", "youtube.com", "tunein.com", "zeno.fm", "radio.garden",
    "google.com", "t.me", "vk.com", "mixcloud.com", "soundcloud.com", "twitch.tv", "live365.com", "mixlr.com",
    "caster.fm", "laut.fm", "streema.com", "radio.net", "mytuner-radio.com", "onlineradiobox.com", "linktr.ee",
    "radioking.com", "listen2myradio.com", "torontocast.com", "airtime.pro", "myradiostream.com", "radio.co",
  ]
  private static let hosting: Set<String> = [
    "blogspot.com", "wordpress.com", "wixsite.com", "weebly.com", "github.io", "jimdo.com", "webnode.com",
    "jimdofree.com", "business.site", "tumblr.com", "airtime.pro", "caster.fm", "radio12345.com", "ucoz.ru",
  ]

  /// Creates the domain of an HTTP or HTTPS address; nil if it has none.
  public init?(_ address: String) {
    guard let mark = address.utf8.firstRange(of: "://".utf8) else { return nil }
    let rest = address[mark.upperBound...]
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let isNumeric = place.first == "["
    let host = (isNumeric ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }).lowercased()
    let labels = host.split(separator: ".")
    guard let last = labels.last, host.utf8.count <= 255 else { return nil }
    if isNumeric || last.allSatisfy({ $0.isASCII && $0.isNumber }) {
      description = host
      return
    }
    let hasKind = labels.count > 2 && last.utf8.count == 2 && Self.kinds.contains(labels[labels.count - 2])
    let domain = labels.suffix(hasKind ? 3 : 2).joined(separator: ".")
    if Self.hosting.contains(domain), labels.count > 2 {
      description = labels.suffix(3).joined(separator: ".")
    } else if Self.shared.contains(domain) {
      let path = rest.dropFirst(authority.count).drop { $0 == "/" }.prefix { !"?#".contains($0) }
      description = domain + "/" + path.lowercased()
    } else {
      description = domain
    }
  }

  var hash: UInt32 { ShortHash.of(description.utf8) }
}
