/// The current levels, for the screens that show them.
public struct PanelSound: Equatable, Sendable {
  /// The level of each frequency band, low to high, in dB: 0 is the maximum, -120 silence; one band per column.
  public var bands: [Double] = []
  /// The average levels of left and right in dBFS.
  public var averages = [-120.0, -120.0]
  /// The peaks of left and right in dBFS.
  public var peaks = [-120.0, -120.0]

  /// Creates silence.
  public init() {}
}
