/// Audio formats that are recognised but not played.
public enum RefusedCodec: String, Hashable, Sendable {
  /// Extended HE-AAC or USAC (ISO 23003-3).
  case xheAac
  /// Dolby Digital.
  case ac3
  /// Dolby Digital Plus.
  case eac3
  case opus
  case flac
  /// Apple Lossless.
  case alac
  /// AAC with frames of 960 samples.
  case shortFrames
  case encrypted
  /// AAC with an object type, sample rate or layout that ADTS cannot express.
  case unknownAac
  case other
}
