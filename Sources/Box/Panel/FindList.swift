/// A list of the station directory.
public enum FindList: Hashable, Sendable {
  /// Where a search begins; nothing of it is read, but whether there is a directory.
  case start
  /// The stations of the country that the box is in; the countries where that is not known.
  case nearMe
  /// All stations, the best voted first.
  case popular
  /// What stations play, the most frequent first.
  case genres
  /// The countries, by their names.
  case countries
  /// The letters that may follow a beginning of names, after their folding to small letters.
  case letters(after: String)
  /// The stations of a genre.
  case genre(String)
  /// The stations of a country: what the directory knows it by, and its name.
  case country(code: String, name: String)
  /// The stations whose names begin so, by their names.
  case names(beginning: String)
}

/// What the panel shows of the station directory: a list, and the rows around its cursor.
public struct FindRequest: Equatable, Sendable {
  /// The list.
  public let list: FindList
  /// The row that the cursor stands at, from 0, or one behind the last; nil: where the list begins.
  public let cursor: Int?

  /// A list with its cursor.
  public init(_ list: FindList, cursor: Int?) { (self.list, self.cursor) = (list, cursor) }
}
