/// What decoded samples are rounded to.
public enum SampleDepth: Equatable, Sendable {
  /// 16 bits, as the decoder's library itself rounds.
  case bits16
  /// 16 bits with triangular noise of two steps added before (TPDF).
  case bits16Dithered
  /// 24 bits.
  case bits24
}
