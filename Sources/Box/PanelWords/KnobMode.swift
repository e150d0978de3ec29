/// What a knob turns.
public enum KnobMode: String, CaseIterable, Sendable {
  /// The stations.
  case tune
  /// The volume.
  case volume
  /// The time shift.
  case scrub
}
