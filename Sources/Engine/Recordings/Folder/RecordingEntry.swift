import Framing

/// A recording or a kept song in the recordings folder.
public struct RecordingEntry: Equatable, Sendable {
  /// The path within the folder, without control characters.
  public let name: String
  /// The name without folders and ending, for displays: at most 100 characters.
  public var title: String { Self.title(of: name) }
  /// The size in bytes.
  public let byteCount: Int
  /// The last change, in seconds since 1970.
  public let modified: Int64

  /// Returns a name without folders and ending, for displays: at most 100 characters.
  public static func title(of name: String) -> String {
    let last = FileName.last(name)
    return DisplayText.clean(String(last[..<(last.lastIndex(of: ".") ?? last.endIndex)]), characterLimit: 100)
  }
}
