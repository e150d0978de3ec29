import Framing
import Units

// How what is tuned to is asked for, and what the head of an answer says of it.

extension StationRequest {
  /// A request for an address of it, which a list or a feed has named or not, with all that the listener set and that
  /// may go there.
  func http(for address: WebAddress, namedBy referral: Referral?) -> HttpRequest {
    var http = HttpRequest(url: address.url, userAgent: userAgent)
    http.credentials = address.credentials
    if referral?.entrusts(address) != false {
      http.headers = headers
      http.query = query
      http.credentials = address.credentials ?? credentials
    }
    http.allowsLocalFile = address.isFile
    // Nothing else is worth packing, and some servers pack their lists unasked.
    http.acceptsGzip = address.path.hasSuffix(".m3u8")
    http.reach = referral?.reach ?? reach
    return http
  }

  /// Whether an answer is taken for a station's; `isLocal` says whether it is a file of this machine (R1.5).
  func isLive(_ head: HttpHead, isLocal: Bool) -> Bool {
    switch mode {
    case .live: true
    case .file: false
    case .automatic:
      // Who asks for a place of it knows that it is a file.
      !isLocal && !head.isItem
        && !(head.contentLength != nil && (head.acceptsRanges || head.isPartial || start > .zero) && !head.isIcy)
    }
  }
}

extension StationFacts {
  /// What the head of an answer to a candidate says.
  init(_ head: HttpHead, of candidate: Candidates.Candidate?, isLive: Bool, mayBeFile: Bool) {
    func shown(_ text: String?) -> String? { text.map { DisplayText.clean($0) } }
    self.init(
      url: head.effectiveURL.description, name: shown(head.icy.name) ?? candidate?.title, genre: shown(head.icy.genre),
      homePage: shown(head.icy.url), contentType: shown(head.contentType),
      toldBitRate: head.icy.bitRate?.bitsPerSecond, metaint: head.icy.metaint, isLive: isLive, mayBeFile: mayBeFile,
      byteCount: (head.contentRangeTotal ?? head.contentLength).flatMap { Int(exactly: $0) },
      isSeekable: head.acceptsRanges || head.isPartial, item: candidate?.item)
  }
}

extension Candidates.Candidate {
  /// What holds for the addresses that an answer names, whose host was found in the range `home`, and whose redirects
  /// led to `source`; nil where these are not known.
  func referralOfAnswer(home: AddressRange?, from source: WebAddress?, isFeed: Bool) -> Referral {
    if let before = referral { return Referral(behind: before, at: address, home: home, isFeed: isFeed) }
    return Referral(of: address, home: home, from: source ?? address, isFeed: isFeed)
  }
}
