/// The reason why a response is not an HLS playlist.
public enum HlsPlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The response is empty, or contains only blanks, comments and unknown tags.
  case empty
  /// The first line is not "#EXTM3U". Either an address precedes all HLS tags, or no segment or variant follows.
  case notPlaylist

  /// The event and the remedy, as a sentence.
  public var description: String {
    switch self {
    case .empty: "The station's HLS playlist is empty: try again later."
    case .notPlaylist: "The station's address does not lead to an HLS playlist: check the address."
    }
  }
}
