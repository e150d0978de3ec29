/// The source that plays instead of the station. `PanelView.station` is its name, except for the tone.
public struct PanelSource: Equatable, Sendable {
  /// The reason why the station was left.
  public enum Reason: Equatable, Sendable {
    /// The listener chose the source.
    case choice
    case noAudio
    case quiet
    /// The station repeated the same audio.
    case loop
    case unplayable
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
  /// True for the tone.
  public var isTone: Bool
  /// The reason why the station was left.
  public var reason: Reason
  /// The time of day when the station was left; nil while the clock is not set.
  public var since: WallClock?
  /// The next attempt to receive the station.
  public var next = Next.never

  /// Creates a source without times.
  public init(insteadOf station: String, isTone: Bool, _ reason: Reason) {
    (self.station, self.isTone, self.reason) = (station, isTone, reason)
  }
}
