import CLinux
import Synchronization
import Units

/// What time it is for a part of the program: by the machine's clocks, or as a test wants it.
///
/// It is handed to what needs it where that is made, and from there on to its threads. All copies tell the same time;
/// any thread may ask.
public struct Clock: BitwiseCopyable, @unchecked Sendable {
  /// How many times faster than CLOCK_MONOTONIC it goes.
  private let speed: Int64
  /// Seconds since 1970 when `now` was zero; not a number: the machine tells them.
  private let wallStart: Double
  /// Nanoseconds that the machine is said to have slept beside those that it did.
  private let addedSleep: UnsafePointer<Atomic<Int64>>?

  /// The machine's own clocks.
  public static var machine: Clock { Clock(speed: 1) }

  /// A clock of a test: it goes `speed` times faster than the machine's, and so do all sleeps and waits by it. `now`
  /// was zero at `wallStart`, in seconds since 1970, where that is given. `addedSleep`, in nanoseconds, which the test
  /// may add to at any time, outlives all copies.
  package init(speed: Int, wallStart: Double? = nil, addedSleep: UnsafePointer<Atomic<Int64>>? = nil) {
    self.speed = Int64(max(1, speed))
    self.wallStart = wallStart ?? .nan
    self.addedSleep = addedSleep
  }

  /// The moment (`clock_gettime(2)`, CLOCK_MONOTONIC).
  @_noLocks @_noAllocation
  public func now() -> MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns() &* speed) }

  /// Sleeps until a moment (`clock_nanosleep(2)`); signals do not shorten it.
  @_noLocks @_noAllocation
  public func sleep(until moment: MonotonicTime) { bk_sleep_until_ns(moment.nanoseconds / speed) }

  /// What `poll(2)` has to wait where this clock is to count so many milliseconds; a negative time, for ever, stays
  /// one.
  @_noLocks @_noAllocation
  public func realMilliseconds(_ milliseconds: Int32) -> Int32 {
    guard milliseconds > 0, speed > 1 else { return milliseconds }
    return Int32(truncatingIfNeeded: (Int64(milliseconds) &- 1) / speed &+ 1)
  }

  /// Seconds since 1970 (CLOCK_REALTIME), right or wrong.
  public func wallSeconds() -> Double { wallStart.isNaN ? bk_wall_seconds() : wallStart + now().seconds }

  /// How long the machine has slept since it started: by how much CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, or a
  /// little less.
  public func slept() -> Duration {
    Duration(nanoseconds: bk_slept_ns() + (addedSleep?.pointee.load(ordering: .relaxed) ?? 0))
  }
}
