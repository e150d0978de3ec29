import Units

/// Sources of titles outside the stream (R6.3 – R6.5), and the timing of these titles.
public struct ExternalMetadata: Equatable, Sendable {
  /// XML feed of AudioVault or a compatible system; nil if unused.
  public var xmlURL: StationAddress?
  /// Time zone of the feed's times. If nil, a time without a zone is ignored, and the title starts on arrival.
  public var zone: StationZone?
  /// Seconds by which the stream lags behind the feed's times, -3600 … 3600.
  public var delay = 0.0
  /// Live365's XML feed; nil if unused.
  public var live365URL: StationAddress?
  /// True if titles are requested from the server by UDP (AudioCast).
  public var usesAudioCast = false
  /// True if requests start with the programme, false if they wait for `NetThread.nowPlaying`.
  public var isBegun = true

  /// Creates settings without a source.
  public init() {}

  /// True if any source is set.
  public var isAny: Bool { xmlURL != nil || live365URL != nil || usesAudioCast }
}

extension ExternalMetadata: CustomReflectable {
  /// Empty, since the addresses may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A title from outside the stream.
public struct ExternalTitle: Equatable, Sendable {
  /// The artist, if named separately.
  public var artist: String?
  /// The track, preceded by the artist if not named separately.
  public var track: String
  /// A web page about the track.
  public var url: String?

  /// Creates a title.
  public init(artist: String? = nil, track: String, url: String? = nil) {
    (self.artist, self.track, self.url) = (artist, track, url)
  }
}
