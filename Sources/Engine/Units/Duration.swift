/// A length of time as the machine's monotonic clock counts it, in nanoseconds; the difference of two moments
/// (`MonotonicTime`).
public struct Duration: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds.
  public var nanoseconds: Int64

  /// No time at all.
  @inlinable
  public static var zero: Duration { Duration(nanoseconds: 0) }

  /// A length without an end: a moment and so much more is `never`.
  @inlinable
  public static var forever: Duration { Duration(nanoseconds: .max) }

  /// So many nanoseconds.
  @_noLocks @_noAllocation @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// So many milliseconds.
  @_noLocks @_noAllocation @inlinable
  public init(milliseconds: Int64) { nanoseconds = milliseconds &* 1_000_000 }

  /// So many seconds, rounded; beyond the clock's reach they are clamped to it.
  public init(seconds: Double) {
    nanoseconds = seconds.isNaN ? 0 : Int64((max(-0x1p62, min(0x1p62, seconds * 1e9))).rounded())
  }

  /// The same in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The same in whole milliseconds, rounded up, for `poll(2)`; never negative.
  public var milliseconds: Int32 {
    Int32(max(0, min(Int64(Int32.max), nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))))
  }

  /// Whether `lhs` is shorter.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: Duration, rhs: Duration) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Both together; what is too long for the clock is `forever`.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: Duration, rhs: Duration) -> Duration {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return overflow ? forever : Duration(nanoseconds: sum)
  }

  /// What is left of one length without another; negative where that is longer.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: Duration, rhs: Duration) -> Duration {
    Duration(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }
}
