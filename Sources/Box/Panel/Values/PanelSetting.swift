import PanelWords

/// A setting that the menu changes.
public enum PanelSetting: Equatable, Sendable {
  /// Time between two steps of a scrolling text, in milliseconds.
  case scrollMilliseconds(Int)
  /// True to show the clock while nothing plays.
  case idleClock(Bool)
  case knobMode(KnobMode)
  case face(PanelFace)
  case language(Language)
  case web(Bool)
}
