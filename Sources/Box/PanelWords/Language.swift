/// The languages of the display, with their words in `bakelite.toml`.
public enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
}
