import Glibc

/// A level relative to full scale, in dB. A sine of full scale has an average of -3.01 dBFS.
public struct Decibels: Comparable, Hashable, Sendable {
  /// The level in dBFS, -120 to about 0.
  public let value: Double

  /// The level of silence, and the minimum.
  public static let silence = Decibels(-120)

  /// Creates a level, at least `silence`.
  public init(_ value: Double) { self.value = max(-120, value) }

  /// Creates a level from a power; a sample of the maximum value has a power of 1.
  public init(power: Double) { self.init(power > 0 ? 10 * log10(power) : -120) }

  /// Compares two levels.
  public static func < (one: Decibels, other: Decibels) -> Bool { one.value < other.value }
}
