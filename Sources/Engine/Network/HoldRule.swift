import Units

/// How much is held before sound begins, and how far a download may run ahead of the sound (R2.2, R2.3).
///
/// A download is never slowed before everything is held that a start or a refill gathers: neither waits for the other.
public struct HoldRule: Equatable, Sendable {
  /// When a programme begins to sound.
  public enum StartPolicy: String, Sendable, CaseIterable {
    /// A live station as soon as one second is held.
    case adaptive
    /// Not before the wait time is held.
    case fixed
  }

  /// What is held of a live station, in the end.
  public var waitLive = StreamTime(seconds: Defaults.waitLive)
  /// What is held of a file before it sounds.
  public var waitFile = StreamTime(seconds: Defaults.waitFile)
  /// What of a file comes at full speed at least, before its download slows down to the pace of the sound.
  public var throttleBypass = StreamTime.zero
  /// When a live station begins to sound.
  public var policy = StartPolicy.adaptive

  /// The usual rule.
  public init() {}

  /// What is gathered before a programme sounds.
  public func start(isLive: Bool) -> StreamTime {
    guard isLive else { return waitFile }
    return policy == .fixed ? waitLive : min(waitLive, Self.shortStart)
  }

  /// What is gathered when all that was held is played and the connection still stands.
  public func refill(isLive: Bool) -> StreamTime { min(isLive ? waitLive : waitFile, Self.longestRefill) }

  /// What is gathered when all that was held is played and the connection is made anew, under both policies.
  public func restart(isLive: Bool) -> StreamTime { min(isLive ? waitLive : waitFile, Self.shortStart) }

  /// What is held ahead of the decoder before the server is made to wait.
  /// What may be a file or a live station is let run ahead as far as either.
  public func limit(isLive: Bool, mayBeFile: Bool = false) -> StreamTime {
    let file = max(waitFile, throttleBypass)
    guard isLive else { return file }
    return max(Self.leastLive, waitLive, mayBeFile ? file : .zero)
  }

  private static let shortStart = StreamTime(seconds: 1)
  private static let longestRefill = StreamTime(seconds: 7)
  /// A live station is never slowed down before so much is held.
  private static let leastLive = StreamTime(seconds: 20)
}
