/// A running recording.
public struct PanelRecording: Equatable, Sendable {
  /// The name.
  public var name: String
  /// Recorded seconds.
  public var seconds: Double
  /// Seconds of free space; nil if unknown.
  public var roomSeconds: Double?

  /// Creates a recording.
  public init(name: String, seconds: Double, roomSeconds: Double?) {
    self.name = name
    self.seconds = seconds
    self.roomSeconds = roomSeconds
  }
}
