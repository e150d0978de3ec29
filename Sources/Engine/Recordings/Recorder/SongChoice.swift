/// The song to save.
public enum SongChoice: String, Sendable, CaseIterable {
  /// The audible song.
  case current
  /// The song before.
  case previous
}
