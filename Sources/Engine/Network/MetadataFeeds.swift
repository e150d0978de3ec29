import Framing
import System
import Units

/// The titles of a live station (R6.3 – R6.5): those in its stream, and those that it tells beside it. The net
/// thread's.
///
/// It is given what is on the air, and gives back what is to be told.
struct MetadataFeeds: ~Copyable {
  private let engine: HttpEngine
  private var text = TitleText(encoding: nil)
  private var placer = TitlePlacer()
  /// What asks for titles beside the stream.
  private var pollers: [TitlePoller] = []
  private var audioCast: AudioCastSocket?
  /// A title by UDP that came before the audio that it belongs to.
  private var earlyTitle: ExternalTitle?
  /// The connection for which the pollers have begun to ask.
  private var asked: LineID?
  /// Seconds that the stream is behind the times that are told.
  private var delay = 0.0

  /// What its feeds are asked by.
  private var clock: Clock { engine.clock }

  /// The titles of programmes whose feeds are asked for by `engine`.
  init(_ engine: HttpEngine) { self.engine = engine }

  // MARK: Orders

  /// Begins a programme: what was told of another one counts no more.
  mutating func begin(_ request: StationRequest) {
    end()
    text = TitleText(encoding: request.metadataEncoding)
    placer = TitlePlacer()
    if request.externalMetadata.isBegun { start(request) }
  }

  /// Forgets what was told: the listener goes to another place of a file, which has titles of its own.
  mutating func forgetTitles() { placer = TitlePlacer() }

  /// Makes ready to ask beside the stream, which is done once the station is on the air; safe to call twice, and
  /// without effect where the station has nothing to ask for.
  mutating func start(_ request: StationRequest) {
    guard pollers.isEmpty, audioCast == nil else { return }
    let external = request.externalMetadata
    let feeds = [(external.xmlURL, TitlePoller.Form.audioVault), (external.live365URL, .live365)]
    pollers = feeds.compactMap { url, form in
      guard let url, let http = Self.feedRequest(for: url, of: request) else { return nil }
      return TitlePoller(engine, http, form, external, encoding: request.metadataEncoding)
    }
    if external.usesAudioCast { audioCast = AudioCastSocket() }
    (asked, delay) = (nil, external.delay)
  }

  /// Asks no more; what was told stays.
  mutating func end() {
    for poller in pollers { poller.cancel() }
    (pollers, audioCast, asked, earlyTitle) = ([], nil, nil, nil)
  }

  /// The listener's name and password go to the station's own host and nowhere else, his headers and query to the
  /// stream alone.
  private static func feedRequest(for url: StationAddress, of request: StationRequest) -> HttpRequest? {
    guard let address = try? WebAddress(url) else { return nil }
    var http = HttpRequest(url: address.url, userAgent: request.userAgent)
    http.credentials = address.credentials
    if let home = request.referral?.owner ?? (try? WebAddress(request.url)), home.mayShareSecrets(with: address) {
      http.credentials = address.credentials ?? home.credentials ?? request.credentials
    }
    return http
  }

  // MARK: Beside the stream

  /// Asks what is due, and gives back what came since the last call; `onAir` is nil while nothing is on the air, or its
  /// place is still sought.
  mutating func poll(_ onAir: OnAir?, at now: MonotonicTime) -> [NetNotice] {
    let waiting = found() + early(onAir)
    // What belongs to nothing is asked for again.
    if onAir == nil, !waiting.isEmpty { asked = nil }
    var told: [NetNotice] = []
    for title in waiting {
      guard let onAir else { break }
      let notice = placer.place(
        beside: title.title, of: title.moment, on: onAir, delay: delay, at: now, wall: clock.wallSeconds())
      if let notice { told.append(notice) }
    }
    ask(onAir, at: now)
    return told
  }

  /// What the feeds have told since the last call.
  private func found() -> [TitlePoller.Found] { pollers.compactMap { $0.takeFound() } }

  /// What came by UDP, once there is something on the air that it belongs to.
  private mutating func early(_ onAir: OnAir?) -> [TitlePoller.Found] {
    for datagram in audioCast?.receive(text) ?? [] {
      guard let track = datagram.title else { continue }
      earlyTitle = ExternalTitle(track: track, url: datagram.url)
    }
    guard onAir != nil, let title = earlyTitle else { return [] }
    earlyTitle = nil
    return [TitlePoller.Found(title: title, moment: nil)]
  }

  private mutating func ask(_ onAir: OnAir?, at now: MonotonicTime) {
    for poller in pollers { poller.goOn() }
    guard !pollers.isEmpty, let onAir, now >= onAir.settled else { return }
    if asked != onAir.line {
      asked = onAir.line
      for poller in pollers { poller.hurry() }
    }
    for poller in pollers { poller.attend() }
  }

  /// When `poll` is to be called next, if nothing else happens.
  func due(_ onAir: OnAir?) -> MonotonicTime {
    guard !pollers.isEmpty, let onAir else { return .never }
    guard asked == onAir.line else { return onAir.settled }
    return pollers.map(\.due).min().map { max($0, onAir.settled) } ?? .never
  }

  /// What poll(2) can wait for, beside the transfers.
  var descriptor: Int32? { audioCast?.descriptor }

  /// The UDP port at which titles are expected; nil where none are.
  var port: Int? { audioCast?.port }

  /// A stream's server answered: it alone may tell titles by UDP, and not where it has them in the stream.
  mutating func answered(by server: String?, hasTitles: Bool) {
    if hasTitles { (audioCast, earlyTitle) = (nil, nil) }
    audioCast?.host = server
  }

  // MARK: In the stream

  /// The title of a metadata block; nil where it has none.
  func title(in block: Span<UInt8>) -> StationTitle? {
    let fields = IcyMetadata(parsing: block)
    guard let place = fields.title else { return nil }
    let url = fields.url.map { text.text(block.extracting($0)) }.flatMap { $0.isEmpty ? nil : $0 }
    return StationTitle(text: text.text(block.extracting(place)), url: url)
  }

  /// What is told of a title that begins at `time`; nil where it is the one told last, or a feed beside the stream is
  /// heard.
  mutating func take(_ title: StationTitle, at time: StreamTime) -> NetNotice? {
    isHeard ? nil : placer.place(title, at: time)
  }

  /// What is told of a title that waited for its packets' place.
  mutating func take(_ title: ReleasedTitle) -> NetNotice? { isHeard ? nil : placer.place(title) }

  private var isHeard: Bool { pollers.contains { $0.isHeard } }
}
