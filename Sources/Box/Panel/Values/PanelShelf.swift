/// The recordings and kept songs for the panel, or the reason for their absence.
public enum PanelShelf: Equatable, Sendable {
  /// The folder is being read.
  case reading
  /// The disk has not answered for some seconds.
  case slow
  /// The folder does not exist; the first recording creates it.
  case missing
  /// The folder cannot be read.
  case unreadable
  /// The newest recording is first. Without an entry, the folder has no recordings.
  case recordings([Entry])

  /// A recording.
  public struct Entry: Equatable, Sendable {
    /// The path within the recordings folder.
    public let name: String
    /// The name without folders and ending, for the display.
    public let title: String

    /// Creates an entry.
    public init(_ name: String, title: String) { (self.name, self.title) = (name, title) }
  }

  /// The entries; empty without a list.
  var entries: [Entry] { if case .recordings(let entries) = self { entries } else { [] } }
}
