import Glibc

/// A ratio to full scale, in dB: 0 dBFS is a sample of the greatest value, and a sine of full scale has an average of
/// -3.01 dBFS.
public struct Decibels: Comparable, Hashable, Sendable {
  /// -120 to about 0.
  public let value: Double

  /// What counts as silence: nothing is told below it.
  public static let silence = Decibels(-120)

  /// A ratio; none is below silence.
  public init(_ value: Double) { self.value = max(-120, value) }

  /// The ratio of a power to that of the greatest sample.
  public init(power: Double) { self.init(power > 0 ? 10 * log10(power) : -120) }

  /// Whether one is quieter than the other.
  public static func < (one: Decibels, other: Decibels) -> Bool { one.value < other.value }
}
