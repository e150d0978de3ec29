import Directory

/// Whether clients can browse the station directory now.
public enum DirectoryState: Sendable {
  /// There is no copy, or none that can be read.
  case absent
  /// The copy is being opened.
  case opening
  /// The copy.
  case open(StationDirectory)
}
