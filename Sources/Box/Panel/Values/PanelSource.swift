/// The source that plays instead of the station, or of the station's own address. `PanelView.station` is the name of a
/// fallback.
public struct PanelSource: Equatable, Sendable {
  /// The kind of a source.
  public enum Kind: Sendable {
    /// Another address of the station.
    case address
    case fallback, tone
  }

  /// The reason why the station was left.
  public enum Reason: Equatable, Sendable {
    /// The listener chose the source.
    case choice
    case noAudio
    case quiet
    /// The station repeated the same audio.
    case loop
    case unplayable
    /// The line is too slow for the bit rate of the station.
    case slowLine
    /// The station announced an ad.
    case ad
    case fault(PanelFault)
  }

  /// The next attempt to receive the station.
  public enum Next: Equatable, Sendable {
    case never
    case now
    /// The time of day; nil while the clock is not set.
    case later(WallClock?)
  }

  /// The name of the station.
  public var station: String
  /// The kind of the source.
  public var kind: Kind
  /// The reason why the station was left.
  public var reason: Reason
  /// The time of day when the station was left; nil while the clock is not set.
  public var since: WallClock?
  /// The next attempt to receive the station.
  public var next = Next.never

  /// Creates a source without times.
  public init(_ kind: Kind, insteadOf station: String, _ reason: Reason) {
    (self.kind, self.station, self.reason) = (kind, station, reason)
  }
}
