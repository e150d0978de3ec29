/// A duration on the monotonic clock, in nanoseconds; the difference of two `MonotonicTime` values.
public struct Duration: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds.
  public var nanoseconds: Int64

  /// A duration of zero.
  @inlinable
  public static var zero: Duration { Duration(nanoseconds: 0) }

  /// An endless duration; a moment plus `forever` is `never`.
  @inlinable
  public static var forever: Duration { Duration(nanoseconds: .max) }

  /// Creates a duration from nanoseconds.
  @_noLocks @_noAllocation @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a duration from milliseconds.
  @_noLocks @_noAllocation @inlinable
  public init(milliseconds: Int64) { nanoseconds = milliseconds &* 1_000_000 }

  /// Creates a duration from seconds, rounded and clamped to ±2⁶² ns; not-a-number becomes zero.
  public init(seconds: Double) {
    nanoseconds = seconds.isNaN ? 0 : Int64((max(-0x1p62, min(0x1p62, seconds * 1e9))).rounded())
  }

  /// The duration in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The duration in whole milliseconds for `poll(2)`, rounded up and clamped to 0 … `Int32.max`.
  public var milliseconds: Int32 {
    Int32(max(0, min(Int64(Int32.max), nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))))
  }

  /// Compares two durations.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: Duration, rhs: Duration) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Adds two durations; an overflow becomes `forever`.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: Duration, rhs: Duration) -> Duration {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return overflow ? forever : Duration(nanoseconds: sum)
  }

  /// Subtracts a duration; the result may be negative.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: Duration, rhs: Duration) -> Duration {
    Duration(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }
}
