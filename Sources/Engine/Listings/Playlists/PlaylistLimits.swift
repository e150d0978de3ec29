/// The limits on the entries of a playlist.
public enum PlaylistLimits {
  /// Maximum number of entries; later entries are omitted.
  public static let maxEntryCount = 1_000
  /// Maximum length of a line, reference or title, in bytes of UTF-8; entries with longer references are omitted.
  public static let maxLineLength = 4_096
}
