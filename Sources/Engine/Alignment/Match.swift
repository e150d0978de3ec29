import Units

/// The place of a new stream in the old one (F1).
public struct Match: Equatable, Sendable {
  /// Time of the new stream's first frame on the old stream's time line; negative if the new stream starts earlier.
  public let delay: StreamTime
  /// Mean correlation of the windows that match, 0.6 to 1.
  public let likeness: Float
  /// True if one stream has the opposite polarity.
  public let isInverted: Bool

  /// Returns the time in the new stream for a time in the old one. Both start at zero with their first frame.
  public func newTime(atOld time: StreamTime) -> StreamTime { time - delay }
}
