/// The reason for refusing a JSON text.
public enum JsonError: Error, Equatable, Sendable {
  /// The text is malformed, or a second text follows.
  case malformed
  /// The nesting or the number of values exceeds the limits.
  case tooLarge
}
