/// Something that a station plays, as a feed beside its stream tells it.
public struct NowPlayingEvent: Equatable, Sendable {
  /// Where the feed says that it stands.
  public enum Phase: Equatable, Sendable {
    /// It is on the air.
    case now
    /// It comes.
    case next
    /// It is over.
    case past
  }

  /// What is played, without the artist; 1 … 512 bytes that a display may show.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// What belongs to it on the web, as written.
  public var url: String?
  /// When it begins.
  public var start: NowPlayingTime?
  /// When it ends.
  public var end: NowPlayingTime?
  /// How many seconds it lasts.
  public var length: Double?
  /// Where it stands, if the feed says so.
  public var phase: Phase?
  /// Whether it may be a song: false where its type says that it is a commercial, a jingle or talk.
  public var isSong = true

  /// Nothing.
  public init() {}

  /// Whether it has a name to show.
  public var isNamed: Bool { title != nil || artist != nil }
}

/// What a feed beside a stream tells.
public struct NowPlayingFeed: Equatable, Sendable {
  /// What is played, and perhaps what was and what comes, in the feed's order.
  public var events: [NowPlayingEvent] = []
  /// After how many seconds the feed wants to be asked again (Live365's `Refresh`).
  public var refresh: Int?

  /// A feed that tells nothing.
  public init() {}
}
