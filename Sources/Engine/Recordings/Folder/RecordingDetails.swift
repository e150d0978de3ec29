/// The state of a recording, which needs a read of its file.
public struct RecordingDetails: Equatable, Sendable {
  /// The duration in seconds, estimated by the first packets; nil if unknown.
  public let seconds: Double?
  /// True while the radio writes the file.
  public let isGrowing: Bool
}
