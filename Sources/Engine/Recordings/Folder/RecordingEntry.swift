/// A recording or a kept song in the recordings folder.
public struct RecordingEntry: Equatable, Sendable {
  /// The path within the folder, without control characters.
  public let name: String
  /// The size in bytes.
  public let byteCount: Int
  /// The last change, in seconds since 1970.
  public let modified: Int64
}
