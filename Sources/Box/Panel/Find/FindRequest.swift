/// The rows of the station directory that the panel needs: a list, and its cursor.
public struct FindRequest: Equatable, Sendable {
  /// The list.
  public let list: FindList
  /// The row at the cursor, from 0, up to one past the last; nil for the list's start.
  public let cursor: Int?

  /// Creates a request for a list at a cursor.
  public init(_ list: FindList, cursor: Int?) { (self.list, self.cursor) = (list, cursor) }
}
