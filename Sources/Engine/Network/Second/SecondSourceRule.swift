/// The reception of a live station by a second connection in parallel (F2).
public struct SecondSourceRule: Equatable, Sendable {
  /// Time of the second connection.
  public enum Use: String, Sendable, CaseIterable {
    case never
    /// For an hour after two failures within ten minutes.
    case onTrouble = "on-trouble"
    case always
  }

  /// Time of the second connection.
  public var use: Use
  /// Maximum data of second connections within 24 hours, in bytes; nil for no limit.
  public var maxBytesPerDay: Int?

  /// Creates a rule; by default without a second connection.
  public init(_ use: Use = .never, maxBytesPerDay: Int? = nil) {
    (self.use, self.maxBytesPerDay) = (use, maxBytesPerDay)
  }
}
