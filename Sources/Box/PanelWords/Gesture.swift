/// A gesture on a button, with its word in board files.
public enum Gesture: String, CaseIterable, Sendable {
  case press
  case long
  case double
  /// Repeated while the button is held.
  case repeated = "repeat"
}
