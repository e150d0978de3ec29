/// The limits of a station's dead air (F3).
public struct DeadAir: Equatable, Sendable {
  /// The level in dBFS below which audio counts as silence.
  public var decibels: Double
  /// Silence before the next source plays, in seconds.
  public var seconds: Double

  /// Repetition of the same audio that counts as dead air, in seconds.
  static let loopSeconds = 60.0

  /// Creates limits.
  public init(decibels: Double, seconds: Double) { (self.decibels, self.seconds) = (decibels, seconds) }
}
