/// The effect of a knob.
public enum KnobMode: String, CaseIterable, Sendable {
  /// Selects stations.
  case tune
  /// Changes the volume.
  case volume
  /// Shifts the time.
  case scrub
}
