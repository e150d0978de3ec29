/// The state of a radio (R1.9).
public enum RadioState: String, Sendable {
  case stopped, connecting, buffering, playing, paused
}
