import Glibc
import Panel
import System
import Units

/// The time on the wall, which a box without a battery learns late (D14).
struct WallTime {
  /// The latest time that was ever known, in seconds since 1970: before it, the clock is wrong.
  private let known: Int64
  private let source: Clock
  private var lastGap: Double?
  private var hasZone = false

  /// `known` is what the radio remembers; `zone` a zone of the tz database, empty for the machine's own.
  init(known: Int64, zone: String, _ source: Clock) {
    self.source = source
    self.known = max(CalendarDay.earliestClock.seconds, known)
    take(zone: zone)
  }

  /// Takes another zone; empty: the machine's own.
  mutating func take(zone: String) {
    if !zone.isEmpty {
      setenv("TZ", zone, 1)
      hasZone = true
    } else if hasZone {
      unsetenv("TZ")
      hasZone = false
    }
    tzset()
  }

  /// Seconds since 1970, right or wrong.
  var seconds: Int64 { Int64(source.wallSeconds()) }

  /// Whether the clock was set. What was remembered may be a little ahead, since clocks drift.
  var isSet: Bool { seconds >= known - 86_400 }

  /// Whether the clock was set anew since the last call: it moved against the monotonic one.
  mutating func takeJump() -> Bool {
    let gap = source.wallSeconds() - source.now().seconds
    defer { lastGap = gap }
    return lastGap.map { abs($0 - gap) > 30 } ?? false
  }

  /// Such as "2026-11-21 14.07.33", right or wrong: for names of files.
  var stamp: String {
    let seconds = seconds
    var text = [CChar](repeating: 0, count: 32)
    guard var parts = Self.local(seconds), strftime(&text, text.count, "%Y-%m-%d %H.%M.%S", &parts) > 0 else {
      return "\(seconds)"
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// For the display; nil while the clock is not set.
  var clock: WallClock? {
    guard isSet, let parts = Self.local(seconds) else { return nil }
    return WallClock(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), weekday: Int(parts.tm_wday), day: Int(parts.tm_mday),
      month: Int(parts.tm_mon) + 1)
  }

  /// A moment by the zone's calendar and clock (localtime_r(3)); nil where it has none.
  private static func local(_ seconds: Int64) -> tm? {
    var (moment, parts) = (time_t(seconds), tm())
    return localtime_r(&moment, &parts) == nil ? nil : parts
  }
}
