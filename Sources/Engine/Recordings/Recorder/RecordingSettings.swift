import Units

/// The settings for recordings.
public struct RecordingSettings: Sendable {
  /// The folder for relative names and saved songs; created when needed, if its parent exists.
  public var folder = "."
  /// True to create missing parents of the folder too, for the owner alone.
  public var isPrivate = false
  /// Bytes to leave free on the disk; at this floor a recording ends.
  public var floor = Defaults.recordingFloorMebibytes << 20
  /// The maximum size of the folder; at this size a recording ends. Does not apply to files elsewhere.
  public var limit = RecordingLimit.none
  /// Extra audio before and after a saved song.
  public var margin = StreamTime.zero

  /// Creates the defaults: working directory, 64 MiB, no limit, no margin.
  public init() {}
}
