/// What is known of a list of the station directory.
public enum FindAnswer: Equatable, Sendable {
  /// The directory is being opened.
  case opening
  /// There is no directory on this box.
  case absent
  /// The directory's file cannot be used.
  case damaged
  /// The list.
  case rows(FindRows)
}

/// The rows of a list around a cursor.
public struct FindRows: Equatable, Sendable {
  /// How many rows the list has.
  public var total = 0
  /// Where its cursor stands at first.
  public var start = 0
  /// The place of the first of `rows`, from 0.
  public var from = 0
  /// Those around the cursor.
  public var rows: [FindRow] = []

  /// A list without rows.
  public init() {}

  /// The row at a place; nil where it is not among them.
  func row(at place: Int) -> FindRow? {
    let (index, isOver) = place.subtractingReportingOverflow(from)
    return !isOver && rows.indices.contains(index) ? rows[index] : nil
  }
}

/// A row of such a list.
public struct FindRow: Equatable, Sendable {
  /// What a press on it does.
  public enum Target: Equatable, Sendable {
    /// It opens a list.
    case list(FindList)
    /// It plays a station, by its rank in the directory.
    case station(Int)
  }

  /// What it is called; of a letter the letter.
  public var name: String
  /// What a press on it does.
  public var target: Target
  /// How many stations the list has that it opens; nil where it opens none.
  public var count: Int?
  /// Whether the station answered when the directory's servers looked last.
  public var isAlive = true
  /// Whether it is the station that was tuned to last.
  public var isTuned = false

  /// A row that opens a list of so many stations, or plays a station.
  public init(_ name: String, _ target: Target, count: Int? = nil) {
    (self.name, self.target, self.count) = (name, target, count)
  }
}
