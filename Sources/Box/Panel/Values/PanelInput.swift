import PanelWords

/// An input by hand.
public enum PanelInput: Equatable, Sendable {
  /// A gesture on a button, as its action.
  case action(PanelAction)
  /// Detents of a knob, clockwise positive; `mode` for a knob with a fixed mode.
  case turn(Int, mode: KnobMode? = nil)
}
