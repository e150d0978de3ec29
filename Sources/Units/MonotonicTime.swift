/// A moment on the machine's monotonic clock, or a length of it, in nanoseconds.
///
/// `Clock.now` of `CLinux` reads it; this floor only counts.
public struct MonotonicTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's own start.
  public var nanoseconds: Int64

  /// The clock's start; a length of nothing.
  @inlinable
  public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

  /// A moment that never comes.
  @inlinable
  public static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }

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

  /// Whether `lhs` is earlier.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// A moment later by a length; `never` stays `never`.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: MonotonicTime, rhs: MonotonicTime) -> MonotonicTime {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return overflow ? never : MonotonicTime(nanoseconds: sum)
  }

  /// The length between two moments.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }
}
