/// The state of a list of the station directory.
public enum FindAnswer: Equatable, Sendable {
  case opening
  /// The box has no directory.
  case absent
  /// The directory file is unusable.
  case damaged
  case rows(FindRows)
}

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

/// A row of a list.
public struct FindRow: Equatable, Sendable {
  /// The effect of a press.
  public enum Target: Equatable, Sendable {
    case list(FindList)
    /// Plays a station, by its rank in the directory.
    case station(Int)
  }

  /// The name; the letter of a letter row.
  public var name: String
  /// The effect of a press.
  public var target: Target
  /// Number of stations in the target list; nil for a station.
  public var count: Int?
  /// True if the station responded to the directory's last check.
  public var isAlive = true
  /// True for the station tuned last.
  public var isTuned = false

  /// Creates a row that opens a list of `count` stations, or plays a station.
  public init(_ name: String, _ target: Target, count: Int? = nil) {
    (self.name, self.target, self.count) = (name, target, count)
  }
}
