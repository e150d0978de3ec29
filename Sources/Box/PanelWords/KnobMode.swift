/// The effect of a knob.
public enum KnobMode: String, CaseIterable, Sendable {
  /// Selects stations.
  case tune
  case volume
  /// Shifts the time.
  case scrub
}
