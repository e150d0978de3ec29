import Units

/// Where a station tells titles beside its stream (R6.3 – R6.5), and how they are placed in it.
public struct ExternalMetadata: Equatable, Sendable {
  /// AudioVault's XML, or one like it; nil: none.
  public var xmlURL: StationAddress?
  /// The zone of its times; nil: what is told without a zone counts from when it is seen.
  public var zone: StationZone?
  /// What the stream is behind the times that are told, in seconds; -3600 … 3600.
  public var delay = 0.0
  /// Live365's XML; nil: none.
  public var live365URL: StationAddress?
  /// Whether the server is asked for titles by UDP (AudioCast).
  public var usesAudioCast = false
  /// Whether they are asked for from the beginning; else from `NetThread.nowPlaying` on.
  public var isBegun = true

  /// None.
  public init() {}

  /// Whether there is anything to ask for.
  public var isAny: Bool { xmlURL != nil || live365URL != nil || usesAudioCast }
}

extension ExternalMetadata: CustomReflectable {
  /// No parts: the addresses may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A title that was told beside the stream.
public struct ExternalTitle: Equatable, Sendable {
  /// Who plays it, where that was told apart.
  public var artist: String?
  /// What is played; with the artist in front of it where that was not told apart.
  public var track: String
  /// What belongs to it on the web.
  public var url: String?

  /// A title in its parts.
  public init(artist: String? = nil, track: String, url: String? = nil) {
    (self.artist, self.track, self.url) = (artist, track, url)
  }
}
