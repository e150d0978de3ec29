import Units

/// Amounts of audio to buffer before playback, and limits for downloads ahead of playback (R2.2, R2.3).
///
/// A download is never paused before the audio for a start or a refill is buffered. Otherwise both would wait for ever.
public struct HoldRule: Equatable, Sendable {
  /// The condition for the start of playback.
  public enum StartPolicy: String, Sendable, CaseIterable {
    /// A live station starts with one second of buffered audio.
    case adaptive
    /// Playback starts once the whole wait time is buffered.
    case fixed
  }

  /// Audio to buffer for a live station.
  public var waitLive = StreamTime(seconds: Defaults.waitLive)
  /// Audio to buffer before a file starts.
  public var waitFile = StreamTime(seconds: Defaults.waitFile)
  /// Minimum audio of a file that is received at full speed. After that, the download is slowed to the pace of
  /// playback.
  public var throttleBypass = StreamTime.zero
  /// The condition for the start of a live station.
  public var policy = StartPolicy.adaptive

  /// Creates the default rule.
  public init() {}

  /// Returns the audio to buffer before playback starts.
  public func start(isLive: Bool) -> StreamTime {
    guard isLive else { return waitFile }
    return policy == .fixed ? waitLive : min(waitLive, Self.shortStart)
  }

  /// Returns the audio to buffer after an underrun while the connection stands.
  public func refill(isLive: Bool) -> StreamTime { min(isLive ? waitLive : waitFile, Self.maxRefill) }

  /// Returns the audio to buffer after an underrun if the radio reconnects, under both policies.
  public func restart(isLive: Bool) -> StreamTime { min(isLive ? waitLive : waitFile, Self.shortStart) }

  /// Returns the maximum of undecoded audio before the server is paused.
  ///
  /// The larger limit applies if the stream may be a file or a live station.
  public func limit(isLive: Bool, mayBeFile: Bool = false) -> StreamTime {
    let file = max(waitFile, throttleBypass)
    guard isLive else { return file }
    return max(Self.minLive, waitLive, mayBeFile ? file : .zero)
  }

  private static let shortStart = StreamTime(seconds: 1)
  private static let maxRefill = StreamTime(seconds: 7)
  /// Minimum of buffered audio before a live station is paused.
  private static let minLive = StreamTime(seconds: 20)
}
