/// The languages of the display, by the words of `bakelite.toml`.
public enum Language: String, CaseIterable, Sendable {
  /// English.
  case english = "en"
  /// German.
  case german = "de"
}
