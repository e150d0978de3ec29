import CLinux
import Control
import Glibc
import Panel
import System
import Units

/// The wall-clock time. A box without a battery has a wrong time until the network sets its clock (D14).
struct WallTime {
  /// The latest known time, in seconds since 1970. A clock before this time is wrong, unless a time server or
  /// `TimeWitness` confirms it.
  private var latestKnown: Int64
  private let source: Clock
  private let timeServer: () -> Bool
  private var witness = TimeWitness()
  /// The time at which a time server last contradicted `latestKnown`, or the clock last agreed with it.
  private var agreed: MonotonicTime
  private var lastGap: Double?
  private let began: MonotonicTime
  private var hasZone = false

  /// Creates the time. `known`: the time in the saved state. `zone`: a zone of the tz database; empty for the machine's
  /// own zone. `isKept`: returns true while a time server keeps the clock.
  init(known: Int64, zone: String, _ source: Clock, isKept: @escaping () -> Bool = { bk_clock_is_kept() }) {
    (self.source, timeServer) = (source, isKept)
    began = source.now()
    agreed = began
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

  /// True while a time server keeps the clock, or servers confirm it.
  var isKept: Bool { isKept(at: source.now()) }

  private func isKept(at now: MonotonicTime) -> Bool {
    timeServer() || witness.confirms(source.wallSeconds(), at: now)
  }

  /// Records the time of a server.
  mutating func record(_ time: ServerTime) { witness.record(time) }

  /// True if the clock is set. A set clock may be up to a day before `latestKnown`, because clocks drift.
  var isSet: Bool { seconds >= latestKnown - Self.drift }

  private static let drift: Int64 = 86_400
  /// A clock that is this far ahead is probably wrong; a box may have been off for a year.
  private static let leap: Int64 = 400 * 86_400
  /// Time after which a clock far ahead counts without confirmation.
  private static let patience = Duration(milliseconds: 3_600_000)

  /// Records the times of servers, and compares the clock with `latestKnown`.
  mutating func confirm(by times: [ServerTime], at now: MonotonicTime) -> Int64? {
    for time in times { record(time) }
    return confirm(at: now)
  }

  /// Compares the clock with `latestKnown`, once per iteration. The saved time is a hint: a confirmed clock replaces it
  /// in both directions. Returns the time to save; nil if the clock is not set, or probably wrong.
  mutating func confirm(at now: MonotonicTime) -> Int64? {
    let seconds = seconds
    let isNear = isSet && seconds - latestKnown < Self.leap
    if !isNear {
      guard isKept(at: now) || isSet && now - agreed >= Self.patience else { return nil }
      latestKnown = max(CalendarDay.earliestClock.seconds, seconds)
    }
    agreed = now
    guard isSet else { return nil }
    latestKnown = max(latestKnown, seconds)
    return seconds
  }

  /// The last known time plus the time since the start, in seconds since 1970; for a clock that is not set.
  func estimate(at now: MonotonicTime) -> Int64 { latestKnown + Int64((now - began).seconds) }

  /// Returns true if the clock was set since the last call: if it moved by more than 30 s against the monotonic clock.
  mutating func detectJump() -> Bool {
    let gap = source.wallSeconds() - source.now().seconds
    defer { lastGap = gap }
    return lastGap.map { abs($0 - gap) > 30 } ?? false
  }

  /// The local time for file names, such as "2026-11-21 14.07.33", even if the clock is not set.
  var stamp: String {
    TimeText.stamp(seconds)
  }

  var clock: WallClock? { isSet ? Self.clock(at: seconds) : nil }

  /// Returns the local time of day; nil if out of range. `seconds`: since 1970.
  static func clock(at seconds: Int64) -> WallClock? {
    guard let parts = local(seconds) else { return nil }
    return WallClock(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), weekday: Int(parts.tm_wday), day: Int(parts.tm_mday),
      month: Int(parts.tm_mon) + 1)
  }

  private static func local(_ seconds: Int64) -> tm? {
    var (moment, parts) = (time_t(seconds), tm())
    return localtime_r(&moment, &parts) == nil ? nil : parts
  }
}
