/// The commands of every radio. The owner of the radio adds its own rows.
public enum RadioCommands {
  /// Facts about the program and its output.
  public struct Facts: Sendable {
    /// The program's version.
    public var version: String
    /// The name of the output.
    public var outputName = "Bakelite"
    /// The kind of output: "alsa", "null", "raw" or "wav".
    public var outputKind = "alsa"

    /// Creates facts with a version.
    public init(version: String) { self.version = version }
  }

  /// Creates the rows of the table.
  public static func rows(_ facts: Facts) -> [ControlCommand] {
    let tables = [
      PlaybackCommands.rows, OptionCommands.rows, QueueCommands.rows, QueueListCommands.rows, StatusCommands.rows,
      OutputCommands.rows(name: facts.outputName, kind: facts.outputKind), ConnectionCommands.rows,
      MessageCommands.rows, BrowseCommands.rows, FindCommands.rows, DirectoryCommands.rows, DatabaseCommands.rows,
      PlaylistCommands.rows,
      StationCommands.rows(version: facts.version), SourceCommands.rows,
      GuestCommands.rows, RoomCommands.rows, RecordingCommands.rows,
      ShelfCommands.rows,
    ]
    return Array(tables.joined())
  }
}
