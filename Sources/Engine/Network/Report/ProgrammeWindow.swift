import Units

/// The part of an endless HLS station that its server offers, in programme time.
public struct ProgrammeWindow: Hashable, Sendable {
  /// Start of the oldest segment in the list. The buffered audio may reach further back.
  public var oldest: StreamTime
  /// Start position for a listener of the live programme.
  public var live: StreamTime
  /// End of the newest segment.
  public var end: StreamTime
  /// Broadcast time of programme time zero in ns since 1970 (UTC), from EXT-X-PROGRAM-DATE-TIME; nil if unknown.
  public var epoch: Int64?

  /// Creates a window from `oldest` to `end`, with the start position `live`.
  public init(oldest: StreamTime, live: StreamTime, end: StreamTime, epoch: Int64? = nil) {
    self.oldest = oldest
    self.live = live
    self.end = end
    self.epoch = epoch
  }

  /// Returns the broadcast time of a position, in seconds since 1970 (UTC); nil if unknown.
  public func date(of time: StreamTime) -> Int64? {
    guard let epoch else { return nil }
    let (sum, isOver) = epoch.addingReportingOverflow(time.nanoseconds)
    return isOver ? nil : sum / 1_000_000_000
  }
}

extension StreamTime {
  private static let maxTicks: Int64 = 5_000_000_000_000_000_000

  /// The time in nanoseconds, limited to ±224 years. A tick is 625/441 ns.
  var nanoseconds: Int64 {
    let limited = max(-Self.maxTicks, min(Self.maxTicks, ticks))
    return limited / 441 * 625 + limited % 441 * 625 / 441
  }
}
