/// A moment on the machine's monotonic clock, in nanoseconds since its start; how long something takes is a `Duration`.
///
/// `Clock.now()` of `System` tells it; this floor only counts.
public struct MonotonicTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's own start.
  public var nanoseconds: Int64

  /// The clock's start.
  @inlinable
  public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

  /// A moment that never comes.
  @inlinable
  public static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }

  /// So many nanoseconds after the clock's start.
  @_noLocks @_noAllocation @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// So many milliseconds after the clock's start: a moment of a test.
  package init(milliseconds: Int64) { self = .zero + Duration(milliseconds: milliseconds) }

  /// So many seconds after the clock's start: a moment of a test.
  package init(seconds: Double) { self = .zero + Duration(seconds: seconds) }

  /// Seconds since the clock's start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whether `lhs` is earlier.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// A moment later by a length; `never` stays `never`.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return overflow ? never : MonotonicTime(nanoseconds: sum)
  }

  /// A moment earlier by a length.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: MonotonicTime, rhs: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }

  /// The length between two moments.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration {
    Duration(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }
}
