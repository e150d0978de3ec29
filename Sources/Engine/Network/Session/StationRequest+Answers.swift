import Framing
import Http
import Units

extension StationRequest {
  /// Includes the listener's secrets if `referral` allows them. `referral`: nil for the listener's own address.
  /// `alternative`: the alternative that led to the address, whose secrets are then included instead.
  func http(
    for address: WebAddress, namedBy referral: AddressOrigin?, of alternative: AlternativeAddress? = nil
  ) -> HttpRequest {
    var http = HttpRequest(url: address.url, userAgent: userAgent)
    http.credentials = address.credentials
    if referral?.allowsSecrets(address) != false {
      http.headers = headers
      http.query = query
      http.credentials = address.credentials ?? credentials
      if let alternative {
        http.headers = alternative.headers
        http.query = alternative.query
        http.credentials = address.credentials ?? alternative.credentials
      }
    }
    http.allowsLocalFile = address.isFile
    // Only lists are worth compressing; some servers compress them without a request.
    http.acceptsGzip = address.path.hasSuffix(".m3u8")
    http.reach = referral?.reach ?? reach
    return http
  }

  /// Returns true if a response is treated as a station's. `isLocal`: true for a file of this machine (R1.5).
  func isLive(_ head: HttpHead, isLocal: Bool) -> Bool {
    switch mode {
    case .live: true
    case .file: false
    case .automatic:
      // A start position implies a file.
      !isLocal && !head.isItem
        && !(head.contentLength != nil && (head.acceptsRanges || head.isPartial || start > .zero) && !head.isIcy)
    }
  }
}

extension StationFacts {
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
  /// `home`: address range of the response's host. `source`: its address after redirects. Both are nil if unknown.
  func responseReferral(home: AddressRange?, from source: WebAddress?, isFeed: Bool) -> AddressOrigin {
    if let before = referral { return AddressOrigin(behind: before, at: address, home: home, isFeed: isFeed) }
    return AddressOrigin(of: address, home: home, from: source ?? address, isFeed: isFeed)
  }
}
