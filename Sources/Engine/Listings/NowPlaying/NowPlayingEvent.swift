/// A song or another item that a station plays, as reported by its now-playing feed.
public struct NowPlayingEvent: Equatable, Sendable {
  /// The state of an event, according to the feed.
  public enum Phase: Equatable, Sendable {
    /// The event is on the air.
    case now
    /// The event follows.
    case next
    /// The event is over.
    case past
  }

  /// The title without the artist; 1 … 512 bytes, ready for display.
  public var title: String?
  /// The performing artist; 1 … 512 bytes, ready for display.
  public var artist: String?
  /// A related web address, 1 … 512 bytes without spaces; not validated.
  public var url: String?
  /// The start time.
  public var start: NowPlayingTime?
  /// The end time.
  public var end: NowPlayingTime?
  /// The duration, in seconds.
  public var length: Double?
  /// The state, if the feed reports it.
  public var phase: Phase?
  /// True if the event may be a song: false for a commercial, a jingle, talk and similar types.
  public var isSong = true

  /// Creates an empty event.
  public init() {}

  /// True if there is a title or an artist to show.
  public var isNamed: Bool { title != nil || artist != nil }
}

/// The contents of a now-playing feed.
public struct NowPlayingFeed: Equatable, Sendable {
  /// The current event, and possibly past and following events, in feed order.
  public var events: [NowPlayingEvent] = []
  /// Seconds until the next poll, as requested by the feed (Live365's `Refresh`); any number.
  public var refresh: Int?

  /// Creates an empty feed.
  public init() {}
}
