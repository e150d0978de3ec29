import Framing
import Listings
import Units

/// Asks a feed for titles over and over, beside the stream: when what is on should end, never more often than every
/// five seconds, and less and less often while it fails. The net thread's.
final class TitlePoller {
  /// Whose feed it is.
  enum Form {
    case audioVault
    case live365
  }

  /// A title that a feed told.
  struct Found {
    var title: ExternalTitle
    /// When it begins, in seconds since 1970; nil: it belongs to what is on the air now.
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
  /// When it asks next; while it waits for an answer, until when it does.
  private(set) var due = MonotonicTime.zero
  /// Whether the last answer could be read.
  private(set) var isHeard = false
  /// The title of the last answer, until it is taken.
  private var found: Found?

  /// An answer that takes longer is none.
  private static let patience = Duration(seconds: 10)

  /// A poller of the feed that `request` asks for.
  init(_ engine: HttpEngine, _ request: HttpRequest, _ form: Form, _ external: ExternalMetadata, encoding: String?) {
    (self.engine, self.request, self.form) = (engine, request, form)
    (self.external, self.encoding) = (external, encoding)
  }

  deinit { fetch?.cancel() }

  private var now: MonotonicTime { engine.clock.now() }

  /// The title that came since the last call; nil where none did.
  func takeFound() -> Found? {
    defer { found = nil }
    return found
  }

  /// Lets an answer that was made to wait go on.
  func goOn() { fetch?.goOn() }

  /// Asks if it is time, and gives up an answer that does not come.
  func attend() {
    guard now >= due else { return }
    if fetch != nil { return failed() }
    asked = now
    due = now + Self.patience
    let fetch = TitleFetch(self, encoding: encoding)
    do throws(NetworkError) {
      fetch.transfer = try engine.start(request, handler: fetch)
      self.fetch = fetch
    } catch {
      failed()
    }
  }

  /// Asks as soon as it may.
  func hurry() {
    if fetch == nil, asked > .zero { due = min(due, asked + Duration(seconds: NowPlayingSchedule.shortest)) }
  }

  /// Lets go of an answer that is on its way.
  func cancel() {
    fetch?.cancel()
    fetch = nil
  }

  /// An answer is over; nil where it told nothing that can be read.
  func ended(_ fetch: TitleFetch, _ feed: NowPlayingFeed?) {
    guard fetch === self.fetch else { return }
    guard let feed else { return failed() }
    self.fetch = nil
    (failures, isHeard) = (0, true)
    let schedule =
      form == .live365
      ? NowPlayingSchedule(live365: feed)
      : NowPlayingSchedule(feed, now: engine.clock.wallSeconds(), zone: external.zone, delay: external.delay)
    due = max(now, asked) + Duration(seconds: schedule.wait)
    if let song = schedule.song, let title = ExternalTitle(song) {
      found = Found(title: title, moment: schedule.start)
    }
  }

  /// Tries again later: after 15, 30, 60 … 300 s.
  private func failed() {
    cancel()
    failures += 1
    isHeard = isHeard && failures < 3
    due = now + Duration(seconds: min(300, NowPlayingSchedule.usual * Double(1 << min(failures - 1, 5))))
  }
}

extension ExternalTitle {
  /// The song as a title; nil where it has no name.
  init?(_ song: NowPlayingEvent) {
    guard let track = song.title ?? song.artist else { return nil }
    self.init(artist: song.title == nil ? nil : song.artist, track: track, url: song.url)
  }
}
