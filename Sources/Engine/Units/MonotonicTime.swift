/// A moment on the monotonic clock, in nanoseconds since the clock's start. A difference is a `Duration`.
///
/// `Clock.now()` in `System` returns the current moment.
public struct MonotonicTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: Int64

  /// The clock's start.
  @inlinable
  public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

  /// A moment that never comes.
  @inlinable
  public static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }

  /// Creates a moment from nanoseconds since the clock's start.
  @_noLocks @_noAllocation @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a moment for tests from milliseconds since the clock's start.
  package init(milliseconds: Int64) { self = .zero + Duration(milliseconds: milliseconds) }

  /// Creates a moment for tests from seconds since the clock's start.
  package init(seconds: Double) { self = .zero + Duration(seconds: seconds) }

  /// Seconds since the clock's start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Compares two moments.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Adds a duration; an overflow becomes `never`.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return overflow ? never : MonotonicTime(nanoseconds: sum)
  }

  /// Subtracts a duration.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }

  /// Returns the duration between two moments.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration {
    Duration(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }
}
