import Directory

/// The availability of the station directory for clients.
public enum DirectoryState: Sendable {
  /// The directory's file is missing.
  case absent
  /// The file is unusable; the log has the reason.
  case damaged
  case opening
  case open(StationDirectory)
}
