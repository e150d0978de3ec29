import Http
import Units

/// The registrable domain of a station's address or homepage, such as "bbc.co.uk".
///
/// A few rules replace the list of public suffixes. A rule may separate two hosts of one owner, but must never join
/// hosts of two owners. Domains with many users are excluded.
struct StationDomain: Hashable {
  /// The domain in lower case.
  let name: String

  init?(_ address: StationAddress) {
    guard let host = (try? WebAddress(address))?.host else { return nil }
    self.init(host: host)
  }

  /// Creates the domain of a host; nil if it has none. `host`: ASCII, as in `WebAddress`.
  init?(host: String) {
    let labels = host.lowercased().split(separator: ".").map(String.init)
    guard let top = labels.last, labels.count >= 2, !host.contains(":"), top.utf8.contains(where: { $0 >= 0x61 }),
      let name = Self.registrable(labels[...]), !Self.isShared(name, of: labels)
    else { return nil }
    self.name = name.joined(separator: ".")
  }

  /// Returns the labels of the registrable domain; nil if the host is itself a suffix for names of other owners.
  private static func registrable(_ labels: ArraySlice<String>) -> ArraySlice<String>? {
    let (top, second) = (labels[labels.endIndex - 1], labels[labels.endIndex - 2])
    if top.utf8.count == 2 {
      if regionalTops.contains(top) {
        let hosts = labels.first == "www" ? labels.dropFirst() : labels
        return hosts.count >= 2 ? hosts : nil
      }
      let isSuffix = categories.contains(second) || secondLevelTops.contains(top) && second.utf8.count <= 3
      if isSuffix { return labels.count >= 3 ? labels.suffix(3) : nil }
    }
    return labels.suffix(2)
  }

  private static func isShared(_ name: ArraySlice<String>, of labels: [String]) -> Bool {
    let label = name.first ?? ""
    return (2...3).contains { shared.contains(labels.suffix($0).joined(separator: ".")) }
      || sharedAnywhere.contains(label)
      || name.dropLast().contains { part in sharedWords.contains { part.contains($0) } }
  }

  // MARK: Rules

  /// Second-level labels that are public suffixes under a country, such as "co" in "co.uk".
  private static let categories = words(
    """
    ac asn asso biz co com edu firm fm gen gob gouv gov govt id info ind int ltd mil mod name ne net nhs \
    nic nom off or org per plc priv pro radio sch school store tm tv web
    """)

  /// Countries with such second-level suffixes. Here, any second-level label of up to 3 bytes counts as a suffix.
  private static let secondLevelTops = words(
    """
    ae ao ar au az ba bd bh bn bo br bw by bz ci cn co cr cu cy do dz ec eg et fj ge gh gr gt hk hn hr \
    hu id il in iq ir it jm jo ke kh kr kw kg lb lk ls ly ma mk mm mo mt mw mx my mz na ng ni np nz om \
    pa pe pg ph pk pr ps pt py qa ro rs ru rw sa sd sg si sn sv sy th tn tr tt tw tz ug uk uy uz ve vn \
    ye za zm zw
    """)

  /// Countries with regional suffixes of any length, such as "szczecin.pl". Here, the domain is the whole host without
  /// "www".
  private static let regionalTops = words("jp kz no pl ua us")

  private static let shared = words(
    """
    addradio.de airtime.pro akamaihd.net akamaized.net altervista.org amazonaws.com antfarm.co.za apa.at \
    archive.org azureedge.net azurewebsites.net bit.ly br.com chez.com citrus3.com co.com cloudfront.net \
    contentdelivery.net de.com ddns.net dyndns.org duckdns.org edgesuite.net egihosting.com eu.com \
    ezhostingserver.com facebook.com fastly.net fb.com fb.me firebaseapp.com fly.dev free.fr gb.net \
    github.io gitlab.io globalradio.com google.com googleapis.com herokuapp.com hopto.org icecast.org \
    ihrhls.com iheart.com in.net infomaniak.ch infomaniak.com instagram.com internet-radio.com jimdo.com \
    jimdofree.com jp.net kiwi6.com laut.fm linktr.ee listen2myradio.com live365.com llnwd.net \
    mailchimp.com medium.com mixcloud.com mixlr.com musicradio.com myftp.org myradio24.com myradio24.org \
    mystrikingly.com narod.ru \
    netlify.app no-ip.biz no-ip.org nrjaudio.fm omny.fm ok.ru onrender.com orange.fr over-blog.com \
    pages.dev pagesperso-orange.fr planetradio.co.uk pro-fhi.net qbrick.com radio.co radio.de radio.fm \
    radio.net radioca.st radiocult.fm radiojar.com radioking.com radioking.io radionomy.com radioplayer.co.uk \
    radiosaovivo.net radiotunes.com revma.com rndfnk.com sa.com se.net securenetsystems.net selfhost.eu \
    servehttp.com shoutca.st soundcloud.com spreaker.com squarespace.com surfernetwork.com sytes.net \
    t.me tiktok.com tumblr.com tunein.com twitter.com uk.com uk.net us.com user.fm vercel.app vk.com \
    web.app webs.com weebly.com wix.com wixsite.com wordpress.com x.com xiph.org yesstreaming.net \
    youtu.be youtube.com za.com zapto.org zeno.fm zenolive.com 000webhostapp.com \
    appspot.com azure.com brlogic.com ciclano.io digitaloceanspaces.com dynu.net linode.com linodeobjects.com \
    mediastre.am mooo.com myfritz.net nip.io ovh.net radioboss.fm run.app sslip.io synology.me xdevel.com
    """)

  private static let sharedAnywhere = words("blogspot ucoz webnode wixsite")

  private static let sharedWords = words(
    "cast cdn cloud dedicated dyndns edge host no-ip player server shout sonic stream")

  private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
