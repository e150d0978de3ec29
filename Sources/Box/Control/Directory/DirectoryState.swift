import Directory

/// The availability of the station directory for clients.
public enum DirectoryState: Sendable {
  /// The directory's file is missing or unreadable.
  case absent
  case opening
  case open(StationDirectory)
}
