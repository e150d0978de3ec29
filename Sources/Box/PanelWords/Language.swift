/// The languages of the display, with their words in `bakelite.toml`.
public enum Language: String, CaseIterable, Sendable {
  /// English.
  case english = "en"
  /// German.
  case german = "de"
}
