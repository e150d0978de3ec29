import Units

/// What of an HLS station that has no end can be had from its server, in the programme's time.
public struct ProgrammeWindow: Hashable, Sendable {
  /// When the oldest segment of its list sounds; what is held may reach further back.
  public var oldest: StreamTime
  /// Where a listener begins who wants to hear what is live.
  public var live: StreamTime
  /// When the newest segment ends.
  public var end: StreamTime

  /// A window from `oldest` to `end`, in which a listener begins at `live`.
  public init(oldest: StreamTime, live: StreamTime, end: StreamTime) {
    (self.oldest, self.live, self.end) = (oldest, live, end)
  }
}
