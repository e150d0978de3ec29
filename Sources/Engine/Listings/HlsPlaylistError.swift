/// Why what a server sent is no HLS playlist.
public enum HlsPlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing came, or blanks and comments alone.
  case empty
  /// It does not begin with "#EXTM3U", and has no tag of HLS before its first address either.
  case notPlaylist

  /// What happened and what to do, as a sentence.
  public var description: String {
    switch self {
    case .empty: "The station's HLS playlist is empty: try again later."
    case .notPlaylist: "The station's address does not lead to an HLS playlist: check the address."
    }
  }
}
