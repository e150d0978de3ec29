/// What a finger does with a button, by the words of a board file.
public enum Gesture: String, CaseIterable, Sendable {
  /// Down and up.
  case press
  /// Held down.
  case long
  /// Down and up twice.
  case double
  /// Told again and again while the button is held.
  case repeated = "repeat"
}
