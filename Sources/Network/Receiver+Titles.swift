import CLinux
import Framing
import Units

// Titles that a live station tells beside its stream (R6.3 – R6.5), at the places of the stream that they belong to.

extension Receiver {
  // MARK: Orders

  /// Begins or ends asking for titles beside the stream; without effect where the station has none.
  func nowPlaying(_ isWanted: Bool) {
    if isWanted { beginTitles() } else { endTitles() }
  }

  /// Makes ready to ask, which is done once the station is on the air; safe to call twice.
  func beginTitles() {
    guard pollers.isEmpty, audioCast == nil else { return }
    let places = [(request.outside.xmlURL, TitlePoller.Form.audioVault), (request.outside.live365URL, .live365)]
    pollers = places.compactMap { url, form in
      guard let url, let http = feedRequest(for: url) else { return nil }
      return TitlePoller(engine, http, form, request.outside, encoding: request.metadataEncoding) {
        [unowned self] title, moment in tell(outside: title, of: moment)
      }
    }
    if request.outside.usesAudioCast { audioCast = AudioCastSocket() }
    askedReception = nil
  }

  /// Asks no more; what was told stays.
  func endTitles() {
    for poller in pollers { poller.cancel() }
    (pollers, audioCast, askedReception, earlyTitle) = ([], nil, nil, nil)
  }

  /// The listener's name and password go to the station's own host and nowhere else, his headers and query to the
  /// stream alone.
  private func feedRequest(for url: StationAddress) -> HttpRequest? {
    guard let address = try? WebAddress(url) else { return nil }
    var http = HttpRequest(url: address.url, userAgent: request.userAgent)
    http.credentials = address.credentials
    if let home = request.referral?.owner ?? (try? WebAddress(request.url)), home.mayShareSecrets(with: address) {
      http.credentials = address.credentials ?? home.credentials ?? request.credentials
    }
    return http
  }

  // MARK: Time

  /// What is due of it at this moment.
  func attendTitles() {
    if let audioCast {
      for datagram in audioCast.receive(titles) {
        guard let track = datagram.title else { continue }
        earlyTitle = OutsideTitle(track: track, url: datagram.url)
      }
    }
    if let title = earlyTitle, receptionOnAir != nil {
      earlyTitle = nil
      tell(outside: title, of: nil)
    }
    for poller in pollers { poller.goOn() }
    guard !pollers.isEmpty, let reception = receptionOnAir, now >= settled(reception) else { return }
    if reception !== askedReception {
      askedReception = reception
      for poller in pollers { poller.hurry() }
    }
    for poller in pollers { poller.attend() }
  }

  /// When `attendTitles` is to be called next, if nothing else happens.
  var titlesMoment: MonotonicTime {
    guard !pollers.isEmpty, let reception = receptionOnAir else { return .never }
    let soonest = settled(reception)
    return reception === askedReception ? pollers.map(\.due).min().map { max($0, soonest) } ?? .never : soonest
  }

  /// The connection that brings what is on the air now; nil while none does, or its place is still sought.
  private var receptionOnAir: Reception? {
    guard let current, current.isAnnounced, current.isJoined, facts?.isLive == true, keeper.deadline == nil else {
      return nil
    }
    return current
  }

  /// When a server's burst has come, so that the last packet is what is on the air.
  private func settled(_ reception: Reception) -> MonotonicTime {
    (reception.firstPacket ?? now) + MonotonicTime(milliseconds: 1_000)
  }

  /// What poll(2) can wait for, beside the transfers.
  var titlesDescriptor: Int32? { audioCast?.descriptor }

  // MARK: What is told

  /// A stream's server answered: it alone may tell titles by UDP, and not where it has them in the stream.
  func hearServer(of reception: Reception, _ head: HttpHead) {
    if head.icy.metaint != nil { (audioCast, earlyTitle) = (nil, nil) }
    audioCast?.host = reception.transfer?.remoteAddress
  }

  /// Whether titles in the stream are passed over, because the feed beside it is heard.
  var isOutsideHeard: Bool { pollers.contains { $0.isHeard } }

  /// Tells a title that belongs to a moment, in seconds since 1970; nil: to what is on the air now.
  private func tell(outside title: OutsideTitle, of moment: Double?) {
    guard let reception = receptionOnAir else { return askedReception = nil }
    let text = StationTitle(text: (title.artist.map { $0 + " - " } ?? "") + title.track, url: title.url)
    guard toldTitles.isNew(text) else { return }
    // What came last was on the air when it came, unless the server was made to wait.
    let silence = (now - reception.lastData).seconds
    let onAir = bk_wall_seconds() - silence - reception.lag
    let ahead = (moment ?? onAir + silence) + request.outside.delay - onAir
    let time = max(lastTitle, keeper.writer.time + StreamTime(seconds: max(-1e6, min(1e6, ahead))))
    lastTitle = time
    tell(.outsideTitle(title, at: time))
  }
}
