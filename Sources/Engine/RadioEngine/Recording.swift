/// What is being recorded.
public struct Recording: Equatable, Sendable {
  /// The file; the folder where each title has its own.
  public var path: String
  /// The path's last part.
  public var name: String { FileName.last(path) }
  /// Seconds recorded, on the disk or on their way to it.
  public var seconds: Double
  /// The same in bytes.
  public var byteCount: Int
  /// Bytes that the disk has room for before the recording ends; nil while that is not known.
  public var freeByteCount: Int?

  /// Seconds that it can go on for, at the bit rate so far; nil while that is not known.
  public var secondsLeft: Double? {
    guard let freeByteCount, byteCount > 0, seconds > 1 else { return nil }
    return Double(freeByteCount) * seconds / Double(byteCount)
  }
}

/// A song that is being kept, or was.
public struct KeptSong: Equatable, Sendable {
  /// Its file.
  public var path: String
  /// Its title.
  public var title: Title
  /// Seconds of its beginning that were no longer held.
  public var missing: Double
  /// Whether its end is still awaited.
  public var goesOn: Bool
}
