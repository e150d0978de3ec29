/// An open list of a search, with its cursor.
struct FindPage: Equatable {
  let list: FindList
  /// Nil until the cursor is moved.
  var cursor: Int?
}
