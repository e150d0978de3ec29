/// The state of a list of the station directory.
public enum FindAnswer: Equatable, Sendable {
  case opening
  /// The box has no directory.
  case absent
  /// The directory file is unusable.
  case damaged
  case rows(FindRows)
}
