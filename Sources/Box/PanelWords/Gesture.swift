/// A gesture on a button, with its word in board files.
public enum Gesture: String, CaseIterable, Sendable {
  /// Pressed and released.
  case press
  /// Pressed for a long time.
  case long
  /// Pressed twice.
  case double
  /// Repeated while the button is held.
  case repeated = "repeat"
}
