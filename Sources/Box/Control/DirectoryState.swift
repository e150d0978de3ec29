import Directory

/// The availability of the station directory for clients.
public enum DirectoryState: Sendable {
  /// The copy is missing or unreadable.
  case absent
  /// The copy is being opened.
  case opening
  /// The open copy.
  case open(StationDirectory)
}
