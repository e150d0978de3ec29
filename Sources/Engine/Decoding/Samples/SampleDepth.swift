/// The precision of decoded samples.
public enum SampleDepth: Equatable, Sendable {
  /// 16 bits, rounded to nearest without dither.
  case bits16
  /// 16 bits with triangular dither of two steps (TPDF). AAC and samples of 16 bits are decoded without dither.
  case bits16Dithered
  /// 24 bits.
  case bits24
}
