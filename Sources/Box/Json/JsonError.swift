/// The reason for refusing a JSON text.
public enum JsonError: Error, Equatable, Sendable {
  /// The text is malformed, or other text follows.
  case malformed
  /// The nesting or the number of values exceeds the limits.
  case tooLarge
}
