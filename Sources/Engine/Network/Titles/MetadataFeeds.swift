import Framing
import Http
import System
import Units

/// Titles of a live station from external feeds (R6.3 – R6.5). Net thread only.
struct MetadataFeeds: ~Copyable {
  private let engine: HttpEngine
  private var text = TitleText(encoding: nil)
  private var pollers: [TitlePoller] = []
  private var audioCast: AudioCastSocket?
  /// A title received by UDP before the audio to which it belongs.
  private var earlyTitle: ExternalTitle?
  private var polledConnection: ConnectionID?
  /// Seconds by which the stream lags behind the times in the feeds.
  private(set) var delay = 0.0

  init(_ engine: HttpEngine) { self.engine = engine }

  // MARK: Commands

  mutating func begin(_ request: StationRequest) {
    end()
    text = TitleText(encoding: request.metadataEncoding)
    if request.externalMetadata.isBegun { start(request) }
  }

  /// Prepares the external feeds. Polling starts when the station is on the air. Safe to call twice.
  mutating func start(_ request: StationRequest) {
    guard pollers.isEmpty, audioCast == nil else { return }
    let external = request.externalMetadata
    let feeds = [(external.xmlURL, TitlePoller.Form.audioVault), (external.live365URL, .live365)]
    pollers = feeds.compactMap { url, form in
      guard let url, let http = Self.feedRequest(for: url, of: request) else { return nil }
      return TitlePoller(engine, http, form, external, encoding: request.metadataEncoding)
    }
    if external.usesAudioCast { audioCast = AudioCastSocket() }
    (polledConnection, delay) = (nil, external.delay)
  }

  mutating func end() {
    for poller in pollers { poller.cancel() }
    pollers = []
    audioCast = nil
    polledConnection = nil
    earlyTitle = nil
  }

  /// The listener's name and password go only to the station's own host, headers and query only to the stream.
  private static func feedRequest(for url: StationAddress, of request: StationRequest) -> HttpRequest? {
    guard let address = try? WebAddress(url) else { return nil }
    var http = HttpRequest(url: address.url, userAgent: request.userAgent)
    http.credentials = address.credentials
    if let home = request.referral?.owner ?? (try? WebAddress(request.url)), home.mayShareSecrets(with: address) {
      http.credentials = address.credentials ?? home.credentials ?? request.credentials
    }
    return http
  }

  // MARK: External feeds

  /// Polls the feeds that are due and returns the new titles. `onAir`: nil before audio or while a stitch is pending.
  mutating func poll(_ onAir: OnAir?, at now: MonotonicTime) -> [TitlePoller.Found] {
    let found = pollers.compactMap { $0.removeFound() } + removeEarlyTitle(onAir)
    // Titles without a live position are dropped, so the feeds must be polled again.
    if onAir == nil, !found.isEmpty { polledConnection = nil }
    requestTitles(onAir, at: now)
    return found
  }

  private mutating func removeEarlyTitle(_ onAir: OnAir?) -> [TitlePoller.Found] {
    for datagram in audioCast?.receive(text) ?? [] {
      guard let track = datagram.title else { continue }
      earlyTitle = ExternalTitle(track: track, url: datagram.url)
    }
    guard onAir != nil, let title = earlyTitle else { return [] }
    earlyTitle = nil
    return [TitlePoller.Found(title: title, moment: nil)]
  }

  private mutating func requestTitles(_ onAir: OnAir?, at now: MonotonicTime) {
    for poller in pollers { poller.resume() }
    guard !pollers.isEmpty, let onAir, now >= onAir.settled else { return }
    if polledConnection != onAir.line {
      polledConnection = onAir.line
      for poller in pollers { poller.advanceNextRequest() }
    }
    for poller in pollers { poller.poll() }
  }

  func due(_ onAir: OnAir?) -> MonotonicTime {
    guard !pollers.isEmpty, let onAir else { return .never }
    guard polledConnection == onAir.line else { return onAir.settled }
    return pollers.map(\.due).min().map { max($0, onAir.settled) } ?? .never
  }

  var descriptor: Int32? { audioCast?.descriptor }

  var port: Int? { audioCast?.port }

  /// Accepts UDP titles only from the stream's server, and not at all if the stream carries titles.
  mutating func answered(by server: String?, hasTitles: Bool) {
    if hasTitles { (audioCast, earlyTitle) = (nil, nil) }
    audioCast?.host = server
  }

  /// True if a feed works; titles in the stream are then ignored.
  var isResponding: Bool { pollers.contains { $0.isResponding } }
}
