/// The precision of decoded samples.
public enum SampleDepth: Equatable, Sendable {
  /// 16 bits, rounded by the decoder's library.
  case bits16
  /// 16 bits with triangular dither of two steps (TPDF).
  case bits16Dithered
  /// 24 bits.
  case bits24
}
