/// How much longer a sound lasts on one clock than on another: 1, or a little more or less.
///
/// Counted in parts per billion away from 1, so that exactly 1 is a value that can be asked for.
public struct ClockRatio: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Parts per billion above 1, -3,000,000 … 3,000,000.
  public let partsPerBillion: Int32

  /// As far as any steering goes, in parts per billion: 0.3 %, a twentieth of a semitone.
  @inlinable
  public static var limit: Int32 { 3_000_000 }

  /// Clocks that agree.
  @inlinable
  public static var one: ClockRatio { ClockRatio(partsPerBillion: 0) }

  /// 1 and so many parts per billion; what lies beyond the limit is clamped to it.
  @inlinable
  public init(partsPerBillion: Int32) { self.partsPerBillion = max(-Self.limit, min(Self.limit, partsPerBillion)) }

  /// The ratio next to `value`; what is no number is 1.
  public init(_ value: Double) {
    let limit = Double(Self.limit)
    let parts = (value - 1) * 1e9
    self.init(partsPerBillion: parts.isNaN ? 0 : Int32(max(-limit, min(limit, parts)).rounded()))
  }

  /// The same as a number.
  @inlinable
  public var value: Double { 1 + Double(partsPerBillion) * 1e-9 }

  /// Whether `lhs` is the smaller.
  @inlinable
  public static func < (lhs: ClockRatio, rhs: ClockRatio) -> Bool { lhs.partsPerBillion < rhs.partsPerBillion }
}
