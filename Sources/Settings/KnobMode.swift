/// What a knob does when it is turned.
public enum KnobMode: String, Sendable, CaseIterable {
  /// Goes through the stations.
  case tune
  /// Louder and quieter.
  case volume
  /// Back and forth in time.
  case scrub
}
