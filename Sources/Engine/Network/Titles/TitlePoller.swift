import Framing
import Http
import Listings
import Units

/// Polls a title feed: at the expected end of the current title, at most every five seconds. Net thread only.
final class TitlePoller {
  enum Form {
    case audioVault
    case live365
  }

  struct Found {
    var title: ExternalTitle
    /// Start in seconds since 1970; nil for the live title.
    var moment: Double?
  }

  private let engine: HttpEngine
  private let request: HttpRequest
  private let encoding: String?
  private let form: Form
  private let external: ExternalMetadata

  private var fetch: TitleFetch?
  private var asked = MonotonicTime.zero
  private var failures = 0
  /// Time of the next request or, during a request, of its timeout.
  private(set) var due = MonotonicTime.zero
  /// True after a readable response, until three requests in a row have failed.
  private(set) var isResponding = false
  private var found: Found?

  /// Maximum duration of a request.
  private static let patience = Duration(seconds: 10)

  init(_ engine: HttpEngine, _ request: HttpRequest, _ form: Form, _ external: ExternalMetadata, encoding: String?) {
    (self.engine, self.request, self.form) = (engine, request, form)
    (self.external, self.encoding) = (external, encoding)
  }

  deinit { fetch?.cancel() }

  private var now: MonotonicTime { engine.clock.now() }

  func removeFound() -> Found? {
    defer { found = nil }
    return found
  }

  func resume() { fetch?.resume() }

  func poll() {
    guard now >= due else { return }
    if fetch != nil { return planRetry() }
    asked = now
    due = now + Self.patience
    let fetch = TitleFetch(self, encoding: encoding)
    do throws(NetworkError) {
      fetch.transfer = try engine.start(request, handler: fetch)
      self.fetch = fetch
    } catch {
      planRetry()
    }
  }

  func advanceNextRequest() {
    if fetch == nil, asked > .zero { due = min(due, asked + Duration(seconds: NowPlayingSchedule.minWait)) }
  }

  func cancel() {
    fetch?.cancel()
    fetch = nil
  }

  func finish(_ fetch: TitleFetch, _ feed: NowPlayingFeed?) {
    guard fetch === self.fetch else { return }
    guard let feed else { return planRetry() }
    self.fetch = nil
    (failures, isResponding) = (0, true)
    let schedule =
      form == .live365
      ? NowPlayingSchedule(live365: feed)
      : NowPlayingSchedule(feed, now: engine.clock.wallSeconds(), zone: external.zone, delay: external.delay)
    due = max(now, asked) + Duration(seconds: schedule.wait)
    if let song = schedule.song, let title = ExternalTitle(song) {
      found = Found(title: title, moment: schedule.start)
    }
  }

  /// Schedules the next request: after 15, 30, 60 … 300 s.
  private func planRetry() {
    cancel()
    failures += 1
    isResponding = isResponding && failures < 3
    due = now + Duration(seconds: min(300, NowPlayingSchedule.usual * Double(1 << min(failures - 1, 5))))
  }
}

extension ExternalTitle {
  init?(_ song: NowPlayingEvent) {
    guard let track = song.title ?? song.artist else { return nil }
    self.init(artist: song.title == nil ? nil : song.artist, track: track, url: song.url)
  }
}
