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
  /// Ogg (RFC 3533).
  case ogg
  /// FLAC of its own (RFC 9639).
  case flac
  /// RIFF/WAVE.
  case wav

  /// Its name for programs: packed, latm, mpegts, fmp4, ogg, flac or wav.
  public var name: String {
    switch self {
    case .packed: "packed"
    case .latm: "latm"
    case .transport: "mpegts"
    case .fragments: "fmp4"
    case .ogg: "ogg"
    case .flac: "flac"
    case .wav: "wav"
    }
  }
}
