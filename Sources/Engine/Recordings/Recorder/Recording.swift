/// A running recording.
public struct Recording: Equatable, Sendable {
  /// The file, or the folder of a split recording.
  public var path: String
  /// The last component of the path.
  public var name: String { FileName.last(path) }
  /// Recorded seconds, on the disk or on their way to it.
  public var seconds: Double
  /// Recorded bytes, on the disk or on their way to it.
  public var byteCount: Int
  /// Bytes of free space until the recording ends; nil if unknown.
  public var freeByteCount: Int?

  /// Remaining seconds at the average bit rate; nil if unknown.
  public var secondsLeft: Double? {
    guard let freeByteCount, byteCount > 0, seconds > 1 else { return nil }
    return Double(freeByteCount) * seconds / Double(byteCount)
  }
}
