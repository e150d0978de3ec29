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
