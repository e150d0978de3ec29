/// The rows of a list around a cursor.
public struct FindRows: Equatable, Sendable {
  /// Number of all rows of the list.
  public var total = 0
  /// The first position of the cursor.
  public var start = 0
  /// The position of the first element of `rows`, from 0.
  public var from = 0
  /// The rows around the cursor.
  public var rows: [FindRow] = []

  /// Creates an empty list.
  public init() {}

  /// The row at a position; nil if not loaded.
  func row(at place: Int) -> FindRow? {
    let (index, isOver) = place.subtractingReportingOverflow(from)
    return !isOver && rows.indices.contains(index) ? rows[index] : nil
  }
}
