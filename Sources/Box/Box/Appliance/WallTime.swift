import Control
import Glibc
import Panel
import System
import Units

/// The wall-clock time. A box without a battery has a wrong time until the network sets its clock (D14).
struct WallTime {
  /// The latest known time, in seconds since 1970. A clock before this time is wrong.
  private let latestKnown: Int64
  private let source: Clock
  private var lastGap: Double?
  private var hasZone = false

  /// Creates the time. `known`: the time in the saved state. `zone`: a zone of the tz database; empty for the machine's
  /// own zone.
  init(known: Int64, zone: String, _ source: Clock) {
    self.source = source
    self.latestKnown = max(CalendarDay.earliestClock.seconds, known)
    set(zone: zone)
  }

  /// Sets the time zone of the process; empty for the machine's own zone.
  mutating func set(zone: String) {
    if !zone.isEmpty {
      setenv("TZ", zone, 1)
      hasZone = true
    } else if hasZone {
      unsetenv("TZ")
      hasZone = false
    }
    tzset()
  }

  var seconds: Int64 { Int64(source.wallSeconds()) }

  /// True if the clock is set. A set clock may be up to a day before `latestKnown`, because clocks drift.
  var isSet: Bool { seconds >= latestKnown - 86_400 }

  /// Returns true if the clock was set since the last call: if it moved by more than 30 s against the monotonic clock.
  mutating func detectJump() -> Bool {
    let gap = source.wallSeconds() - source.now().seconds
    defer { lastGap = gap }
    return lastGap.map { abs($0 - gap) > 30 } ?? false
  }

  /// The local time for file names, such as "2026-11-21 14.07.33", even if the clock is not set.
  var stamp: String {
    let seconds = seconds
    return Self.local(seconds).flatMap { TimeText.text($0, "%Y-%m-%d %H.%M.%S") } ?? "\(seconds)"
  }

  var clock: WallClock? {
    guard isSet, let parts = Self.local(seconds) else { return nil }
    return WallClock(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), weekday: Int(parts.tm_wday), day: Int(parts.tm_mday),
      month: Int(parts.tm_mon) + 1)
  }

  private static func local(_ seconds: Int64) -> tm? {
    var (moment, parts) = (time_t(seconds), tm())
    return localtime_r(&moment, &parts) == nil ? nil : parts
  }
}
