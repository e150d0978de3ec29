/// What the sound of a stream lies in, where that is more than packets one after the other.
public enum StreamContainer: Hashable, Sendable {
  /// AAC in LATM frames behind LOAS syncwords (ISO 14496-3, 1.7).
  case latm
  /// An MPEG transport stream (ISO 13818-1).
  case transport
}
