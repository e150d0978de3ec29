/// The ratio of a duration on one clock to its duration on another, near 1.
///
/// Stored in parts per billion away from 1, so that 1 is exact.
public struct ClockRatio: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Parts per billion above 1, -3,000,000 … 3,000,000.
  public let partsPerBillion: Int32

  /// The maximum deviation in parts per billion: 0.3 %, a twentieth of a semitone.
  @inlinable
  public static var limit: Int32 { 3_000_000 }

  /// The ratio of equal clocks.
  @inlinable
  public static var one: ClockRatio { ClockRatio(partsPerBillion: 0) }

  /// Creates a ratio from parts per billion above 1, clamped to the limit.
  @inlinable
  public init(partsPerBillion: Int32) { self.partsPerBillion = max(-Self.limit, min(Self.limit, partsPerBillion)) }

  /// Creates the nearest ratio to `value`; not-a-number becomes 1.
  public init(_ value: Double) {
    let limit = Double(Self.limit)
    let parts = (value - 1) * 1e9
    self.init(partsPerBillion: parts.isNaN ? 0 : Int32(max(-limit, min(limit, parts)).rounded()))
  }

  /// The ratio as a number.
  @inlinable
  public var value: Double { 1 + Double(partsPerBillion) * 1e-9 }

  /// Compares two ratios.
  @inlinable
  public static func < (lhs: ClockRatio, rhs: ClockRatio) -> Bool { lhs.partsPerBillion < rhs.partsPerBillion }
}
