/// A sample rate in hertz, always positive.
public struct SampleRate: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Hertz, 1 … 768,000.
  public let hertz: Int32

  /// The maximum supported rate, in hertz.
  public static var highest: Int32 { 768_000 }

  /// The rate of the compact disc.
  @inlinable
  public static var cd: SampleRate { SampleRate(44_100) }

  /// Creates a rate from a constant; traps if it is out of range.
  @_noLocks @_noAllocation @inlinable
  public init(_ hertz: Int32) {
    precondition(hertz > 0 && hertz <= 768_000, "a sample rate lies between 1 and 768,000 Hz")
    self.hertz = hertz
  }

  /// Creates a rate from untrusted input; nil if it is out of range.
  @inlinable
  public init?(checking hertz: Int) {
    guard hertz > 0, hertz <= Int(Self.highest) else { return nil }
    self.hertz = Int32(hertz)
  }

  /// Creates a rate from a stream's header; nil below 2,000 Hz or above the maximum. A packet of a lower
  /// rate could last for hours, and real streams have higher rates.
  @inlinable
  public init?(ofSound hertz: Int) {
    guard hertz >= 2_000 else { return nil }
    self.init(checking: hertz)
  }

  /// Compares two rates.
  @inlinable
  public static func < (lhs: SampleRate, rhs: SampleRate) -> Bool { lhs.hertz < rhs.hertz }

  /// The rate, such as "44100 Hz".
  public var description: String { "\(hertz) Hz" }
}
