/// Why a listing gave nothing.
public enum ListingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It holds no entry that could be played.
  case empty
  /// It is longer than a listing may be.
  case tooLarge
  /// It breaks its format's rules in this line, where the first that is not blank is 1.
  case malformed(line: Int)

  /// What happened and what to do, as a sentence.
  public var description: String {
    switch self {
    case .empty: "The list names no station: look for another address of the station."
    case .tooLarge: "The list is longer than a station's can be: check the address."
    case .malformed(let line): "The list cannot be read at line \(line): look for another address of the station."
    }
  }
}
