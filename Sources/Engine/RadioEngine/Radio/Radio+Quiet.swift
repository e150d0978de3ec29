import Glibc

extension Radio {
  /// Measures the duration for which the programme has been below a level in dBFS (F3): the RMS over 400 ms of the
  /// louder channel, before the volume. Nil ends the measurement.
  public func watchQuiet(below decibels: Double?) {
    engine.watchQuiet(below: decibels.map { max(1, Int64(power(10, $0 / 10) * Self.fullScale)) } ?? 0)
  }

  /// Seconds for which the programme has repeated the same packets, or the same samples of a lossless codec within
  /// -60 dBFS; measured with `watchQuiet`, if `RadioSettings.receivesFirstChoice` is true.
  public var loopSeconds: Double { Double(engine.loopMilliseconds) / 1_000 }

  /// Seconds for which the programme has been below the level of `watchQuiet`.
  public var quietSeconds: Double { Double(engine.quiet.milliseconds) / 1_000 }

  /// The last level in dBFS that `watchQuiet` measured, at least -144.
  public var quietLevel: Double { max(-144, 10 * log10(Double(max(1, engine.quiet.meanSquare)) / Self.fullScale)) }

  /// The square of the largest 24-bit sample.
  private static let fullScale = 0x1p46
}
