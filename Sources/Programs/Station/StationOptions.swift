import Units

/// How a station sends.
public struct StationOptions: Sendable {
  /// The numeric address listened on; the default is reached from this machine only.
  public var address = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 0
  /// What a new listener gets at once, from before the live position; cut down to whole frames.
  public var burst = ByteCount.kibi(64)
  /// Audio bytes between metadata blocks, for listeners that ask for them; 0 sends none.
  public var metadataInterval = ByteCount(16_000)
  /// How far behind its burst a listener may fall before it is dropped.
  public var maximumLag = ByteCount.kibi(256)
  /// How many listen at the same time; one more is turned away.
  public var maximumListeners = 64
  /// The station's name, `icy-name`; nil takes each mount's own.
  public var name: String?
  /// The station's genre, `icy-genre`.
  public var genre = "Various"

  /// The defaults.
  public init() {}
}
