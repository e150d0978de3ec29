/// The reason why a response is not an HLS playlist.
public enum HlsPlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The response is empty, or contains only blanks and comments.
  case empty
  /// The response has neither "#EXTM3U" nor an HLS tag with segments or variants.
  case notPlaylist

  /// The event and the remedy, as a sentence.
  public var description: String {
    switch self {
    case .empty: "The station's HLS playlist is empty: try again later."
    case .notPlaylist: "The station's address does not lead to an HLS playlist: check the address."
    }
  }
}
