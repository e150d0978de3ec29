/// Frames per second of one time line, in hertz; always positive.
public struct SampleRate: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Hertz, 1 … 768,000.
  public let hertz: Int32

  /// The highest rate that any part of Bakelite accepts, in hertz.
  public static var highest: Int32 { 768_000 }

  /// The compact disc's rate.
  @inlinable
  public static var cd: SampleRate { SampleRate(44_100) }

  /// A rate that the program itself names.
  @_noLocks @_noAllocation @inlinable
  public init(_ hertz: Int32) {
    precondition(hertz > 0 && hertz <= 768_000, "a sample rate lies between 1 and 768,000 Hz")
    self.hertz = hertz
  }

  /// A rate that the world names: nil when it is none.
  @inlinable
  public init?(checking hertz: Int) {
    guard hertz > 0, hertz <= Int(Self.highest) else { return nil }
    self.hertz = Int32(hertz)
  }

  /// A rate that the head of a sound tells: nil below 2,000 Hz and above the highest. No sound that is listened to has
  /// so few, and each of their packets might last for hours.
  @inlinable
  public init?(ofSound hertz: Int) {
    guard hertz >= 2_000 else { return nil }
    self.init(checking: hertz)
  }

  /// Whether `lhs` is the lower rate.
  @inlinable
  public static func < (lhs: SampleRate, rhs: SampleRate) -> Bool { lhs.hertz < rhs.hertz }

  /// Such as "44100 Hz".
  public var description: String { "\(hertz) Hz" }
}
