/// A change to a source with a lower bit rate, because the line is too slow (F6).
public struct LowerRate: Equatable, Sendable {
  /// The source that was left: its bit rate, or its address without secrets.
  public var from: String
  /// The source that plays.
  public var to: String

  /// The reason as a sentence.
  public var reason: String { "The line is too slow for \(from)." }

  /// Creates a change.
  public init(from: String, to: String) { (self.from, self.to) = (from, to) }
}
