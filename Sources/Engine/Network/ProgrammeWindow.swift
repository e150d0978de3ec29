import Units

/// What of an HLS station that has no end can be had from its server, in the programme's time.
public struct ProgrammeWindow: Hashable, Sendable {
  /// When the oldest segment of its list sounds; what is held may reach further back.
  public var oldest: StreamTime
  /// Where a listener begins who wants to hear what is live.
  public var live: StreamTime
  /// When the newest segment ends.
  public var end: StreamTime
  /// When what sounds at the programme's time zero was on the air, in nanoseconds since 1970 (UTC), as the list tells
  /// (EXT-X-PROGRAM-DATE-TIME); nil where it does not.
  public var epoch: Int64?

  /// A window from `oldest` to `end`, in which a listener begins at `live`.
  public init(oldest: StreamTime, live: StreamTime, end: StreamTime, epoch: Int64? = nil) {
    (self.oldest, self.live, self.end, self.epoch) = (oldest, live, end, epoch)
  }

  /// When what sounds at a time was on the air, in seconds since 1970 (UTC); nil where the station does not tell.
  public func date(of time: StreamTime) -> Int64? {
    guard let epoch else { return nil }
    let (sum, isOver) = epoch.addingReportingOverflow(time.nanoseconds)
    return isOver ? nil : sum / 1_000_000_000
  }
}

extension StreamTime {
  private static let mostTicks: Int64 = 5_000_000_000_000_000_000

  /// The same in nanoseconds, of which a tick is 625/441; no more than 226 years either way.
  var nanoseconds: Int64 {
    let limited = max(-Self.mostTicks, min(Self.mostTicks, ticks))
    return limited / 441 * 625 + limited % 441 * 625 / 441
  }
}
