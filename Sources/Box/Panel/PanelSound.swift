/// What is heard now, for the screens that show it.
public struct PanelSound: Equatable, Sendable {
  /// How loud each band of frequency is, low to high, in dB: 0 at most, -120 for silence; as many as there are columns.
  public var bands: [Double] = []
  /// The average of both channels in dBFS, left and right.
  public var averages = [-120.0, -120.0]
  /// The peaks of both.
  public var peaks = [-120.0, -120.0]

  /// Silence.
  public init() {}
}

/// What the display shows while a station plays.
public enum PanelFace: String, CaseIterable, Sendable {
  /// Station and title.
  case titles
  /// Bars for bands of frequency.
  case spectrum
  /// How loud both channels are.
  case level
}
