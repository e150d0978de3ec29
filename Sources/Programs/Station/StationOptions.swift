import Units

/// The options of a station.
public struct StationOptions: Sendable {
  /// The numeric address to listen on; by default reachable from this machine only.
  public var address = "127.0.0.1"
  /// The port; 0 selects a free one.
  public var port: UInt16 = 0
  /// Bytes before the live position that a new listener receives at once, rounded down to whole frames.
  public var burst = ByteCount.kibi(64)
  /// Audio bytes between metadata blocks, for listeners that request them; 0 disables them.
  public var metadataInterval = ByteCount(16_000)
  /// Maximum backlog of a listener in addition to its burst. A slower listener is disconnected.
  public var maximumLag = ByteCount.kibi(256)
  /// Maximum number of simultaneous listeners. Further listeners receive status 503.
  public var maximumListeners = 64
  /// The station's name, `icy-name`; nil uses each mount's name.
  public var name: String?
  /// The station's genre, `icy-genre`.
  public var genre = "Various"

  /// Creates the default options.
  public init() {}
}
