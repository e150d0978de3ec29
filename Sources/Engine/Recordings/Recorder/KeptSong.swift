import Framing

/// A song that is being or was saved.
public struct KeptSong: Equatable, Sendable {
  /// The file.
  public var path: String
  /// The title.
  public var title: Title
  /// Seconds at the song's beginning that were no longer buffered.
  public var missing: Double
  /// True while the song's end is awaited.
  public var goesOn: Bool
}
