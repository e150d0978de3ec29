/// The library that decodes MP3.
public enum Mp3Decoder: String, Sendable, CaseIterable {
  /// libmad, in fixed point.
  case mad
  /// libmpg123, in floating point with vector instructions: about a third of the work.
  case mpg123
}
