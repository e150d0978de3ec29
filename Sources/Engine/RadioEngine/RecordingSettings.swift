import Units

/// Where and how a radio records.
public struct RecordingSettings: Sendable {
  /// The folder of names that are no paths from the root on, and of kept songs; made when it is needed, if the folder
  /// above it is there.
  public var folder = "."
  /// Bytes that are left free on the disk; a recording ends before it takes them.
  public var floor = Defaults.recordingFloorMebibytes << 20
  /// So much more is kept of a song before its title began, and after it ended.
  public var margin = StreamTime.zero

  /// The working directory, 64 MiB, no margin.
  public init() {}
}
