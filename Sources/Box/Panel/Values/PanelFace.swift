/// The view of a playing station.
public enum PanelFace: String, CaseIterable, Sendable {
  /// Station and title.
  case titles
  case spectrum
  case level
}
