/// The state of the radio, for the panel (R1.9).
public enum PanelState: String, CaseIterable, Sendable {
  case stopped, connecting, buffering, playing, paused
}
