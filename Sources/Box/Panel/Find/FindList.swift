/// A list of the station directory.
public enum FindList: Hashable, Sendable {
  /// The first page; needs only the state of the directory.
  case start
  /// The stations in the box's country; the list of countries if that is unknown.
  case nearMe
  /// All stations, most votes first.
  case popular
  /// Genres, most frequent first.
  case genres
  /// Countries, by name.
  case countries
  /// The possible next letters after a prefix of folded names.
  case letters(after: String)
  case genre(String)
  /// The stations of a country: the directory's key, and its name.
  case country(code: String, name: String)
  /// The stations whose names begin with a prefix, by name.
  case names(beginning: String)
}
