/// Container format of a stream.
public enum StreamContainer: Int, Sendable {
  /// Consecutive ADTS or MPEG audio packets without a container.
  case packed
  /// AAC in LATM frames with LOAS syncwords (ISO 14496-3, 1.7).
  case latm
  /// An MPEG transport stream (ISO 13818-1).
  case transport
  /// Fragmented MP4 (ISO 14496-12, CMAF).
  case fragments
  /// Ogg (RFC 3533).
  case ogg
  /// Native FLAC (RFC 9639).
  case flac
  /// RIFF/WAVE.
  case wav
  /// AIFF and AIFF-C.
  case aiff

  /// Identifier in reports: packed, latm, mpegts, fmp4, ogg, flac, wav or aiff.
  public var name: String {
    switch self {
    case .packed: "packed"
    case .latm: "latm"
    case .transport: "mpegts"
    case .fragments: "fmp4"
    case .ogg: "ogg"
    case .flac: "flac"
    case .wav: "wav"
    case .aiff: "aiff"
    }
  }

  /// Returns a framer for the container; nil if its audio is plain packets.
  public func makeFramer() -> (any StreamFramer & ~Copyable)? {
    switch self {
    case .ogg: OggFramer()
    case .flac: FlacFramer()
    case .wav: PcmFileReader(WavHead.self)
    case .aiff: PcmFileReader(AiffHead.self)
    case .packed, .latm, .transport, .fragments: nil
    }
  }
}
