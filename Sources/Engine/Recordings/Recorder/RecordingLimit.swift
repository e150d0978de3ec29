/// The maximum size of all files in the folder of recordings.
public enum RecordingLimit: Equatable, Sendable {
  case none
  case bytes(Int)
  /// A tenth of the disk.
  case tenthOfDisk
}
