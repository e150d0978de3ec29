import CLinux
import Synchronization
import Units

/// The source of time: the machine's clocks, or a test's. Objects receive a clock at creation and pass it to their
/// threads. All copies show the same time. Any thread.
public struct Clock: BitwiseCopyable, @unchecked Sendable {
  /// Speed relative to CLOCK_MONOTONIC.
  private let speed: Int64
  /// Seconds since 1970 at `now` zero; NaN selects CLOCK_REALTIME.
  private let wallStart: Double
  /// Nanoseconds that `slept` adds to the machine's sleep.
  private let addedSleep: UnsafePointer<Atomic<Int64>>?

  /// The machine's clocks.
  public static var machine: Clock { Clock(speed: 1) }

  /// Creates a test's clock that runs `speed` times faster, including sleeps and waits. `now` is zero at `wallStart`,
  /// in seconds since 1970. The test may raise `addedSleep`, in nanoseconds, at any time; it must outlive all copies.
  package init(speed: Int, wallStart: Double? = nil, addedSleep: UnsafePointer<Atomic<Int64>>? = nil) {
    self.speed = Int64(max(1, speed))
    self.wallStart = wallStart ?? .nan
    self.addedSleep = addedSleep
  }

  /// Returns the current moment (`clock_gettime(2)`, CLOCK_MONOTONIC).
  @_noLocks @_noAllocation
  public func now() -> MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns() &* speed) }

  /// Sleeps until a moment (`clock_nanosleep(2)`); signals do not end the sleep.
  @_noLocks @_noAllocation
  public func sleep(until moment: MonotonicTime) { bk_sleep_until_ns(moment.nanoseconds / speed) }

  /// Converts nanoseconds of this clock to those of the machine.
  @_noLocks @_noAllocation
  func realNanoseconds(_ nanoseconds: Int64) -> Int64 { max(0, nanoseconds) / speed }

  /// Converts milliseconds of this clock to a timeout for `poll(2)`, rounded up; a negative value stays endless.
  @_noLocks @_noAllocation
  public func realMilliseconds(_ milliseconds: Int32) -> Int32 {
    guard milliseconds > 0, speed > 1 else { return milliseconds }
    return Int32(truncatingIfNeeded: (Int64(milliseconds) &- 1) / speed &+ 1)
  }

  /// Returns seconds since 1970 (CLOCK_REALTIME), which may be wrong.
  public func wallSeconds() -> Double { wallStart.isNaN ? bk_wall_seconds() : wallStart + now().seconds }

  /// Returns the suspended time since the machine's start: CLOCK_BOOTTIME minus CLOCK_MONOTONIC, or slightly less.
  public func slept() -> Duration {
    Duration(nanoseconds: bk_slept_ns() + (addedSleep?.pointee.load(ordering: .relaxed) ?? 0))
  }
}
