/// Why a text is not read as JSON.
public enum JsonError: Error, Equatable, Sendable {
  /// It is not well formed, or not a text of its own.
  case malformed
  /// It is nested deeper, or has more values, than it may.
  case tooLarge
}
