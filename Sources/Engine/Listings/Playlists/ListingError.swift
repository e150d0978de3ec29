/// The reason why a listing has no usable entry.
public enum ListingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The listing has no playable entry.
  case empty
  /// The listing exceeds the size limit.
  case tooLarge
  /// The line breaks the format's rules or a limit. Line numbers in playlists do not count leading blank lines.
  case malformed(line: Int)

  /// The event and the remedy, as a sentence.
  public var description: String {
    switch self {
    case .empty: "The list names no station: look for another address of the station."
    case .tooLarge: "The list is longer than a station's can be: check the address."
    case .malformed(let line): "The list cannot be read at line \(line): look for another address of the station."
    }
  }
}
