/// What the sound of a stream lies in.
public enum StreamContainer: Int, Sendable {
  /// Nothing: packets of ADTS or MPEG audio one after the other.
  case packed
  /// AAC in LATM frames behind LOAS syncwords (ISO 14496-3, 1.7).
  case latm
  /// An MPEG transport stream (ISO 13818-1).
  case transport
  /// Fragments of MP4 (ISO 14496-12, CMAF).
  case fragments

  /// Its name for programs: packed, latm, mpegts or fmp4.
  public var name: String {
    switch self {
    case .packed: "packed"
    case .latm: "latm"
    case .transport: "mpegts"
    case .fragments: "fmp4"
    }
  }
}
