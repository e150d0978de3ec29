/// The state of a list of the station directory.
public enum FindAnswer: Equatable, Sendable {
  case opening
  /// The box has no directory. A press downloads it, unless that must be done by hand.
  case absent(Download)
  /// The directory is being downloaded: number of stations so far.
  case fetching(stations: Int)
  /// The directory file is unusable.
  case damaged
  case rows(FindRows)

  /// The state of the download of a missing directory.
  public enum Download: Equatable, Sendable {
    case unasked
    case failed
    /// The owner must run a command, because no service downloads the directory.
    case byHand
  }
}
