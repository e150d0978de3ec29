/// Sound that is recognised and not played.
public enum RefusedCodec: String, Hashable, Sendable {
  /// Extended HE-AAC, or USAC (ISO 23003-3).
  case xheAac
  /// Dolby Digital.
  case ac3
  /// Dolby Digital Plus.
  case eac3
  /// Opus.
  case opus
  /// FLAC.
  case flac
  /// Apple Lossless.
  case alac
  /// AAC with frames of 960 samples.
  case shortFrames
  /// Sound that needs a key.
  case encrypted
  /// AAC of an object type, a rate or a layout that an ADTS header cannot name.
  case unknownAac
  /// Anything else.
  case other
}
