import CLinux
import Synchronization
import Units

/// The source of time: the machine's clocks, or a test's.
///
/// Objects receive it at creation and pass it to their threads. All copies show the same time. Thread-safe.
public struct Clock: BitwiseCopyable, @unchecked Sendable {
  /// Speed relative to CLOCK_MONOTONIC.
  private let speed: Int64
  /// Seconds since 1970 at `now` zero; not-a-number selects the machine's clock.
  private let wallStart: Double
  /// Nanoseconds to add to the machine's sleep.
  private let addedSleep: UnsafePointer<Atomic<Int64>>?

  /// The machine's clocks.
  public static var machine: Clock { Clock(speed: 1) }

  /// Creates a test's clock that runs `speed` times faster, including all sleeps and waits. Its `now` is zero at
  /// `wallStart`, in seconds since 1970.
  /// The test may increase `addedSleep`, in nanoseconds, at any time; it must outlive all copies.
  package init(speed: Int, wallStart: Double? = nil, addedSleep: UnsafePointer<Atomic<Int64>>? = nil) {
    self.speed = Int64(max(1, speed))
    self.wallStart = wallStart ?? .nan
    self.addedSleep = addedSleep
  }

  /// Returns the current moment (`clock_gettime(2)`, CLOCK_MONOTONIC).
  @_noLocks @_noAllocation
  public func now() -> MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns() &* speed) }

  /// Sleeps until a moment (`clock_nanosleep(2)`), across signals.
  @_noLocks @_noAllocation
  public func sleep(until moment: MonotonicTime) { bk_sleep_until_ns(moment.nanoseconds / speed) }

  /// Converts milliseconds of this clock into a timeout for `poll(2)`; a negative value stays endless.
  @_noLocks @_noAllocation
  public func realMilliseconds(_ milliseconds: Int32) -> Int32 {
    guard milliseconds > 0, speed > 1 else { return milliseconds }
    return Int32(truncatingIfNeeded: (Int64(milliseconds) &- 1) / speed &+ 1)
  }

  /// Returns seconds since 1970 (CLOCK_REALTIME), which may be wrong.
  public func wallSeconds() -> Double { wallStart.isNaN ? bk_wall_seconds() : wallStart + now().seconds }

  /// Returns the machine's sleep since its start: CLOCK_BOOTTIME minus CLOCK_MONOTONIC, possibly slightly less.
  public func slept() -> Duration {
    Duration(nanoseconds: bk_slept_ns() + (addedSleep?.pointee.load(ordering: .relaxed) ?? 0))
  }
}
