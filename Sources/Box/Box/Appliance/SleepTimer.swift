import Settings
import Units

struct SleepTimer: Equatable {
  /// End of the timer; `never` if the timer is off.
  private(set) var due = MonotonicTime.never
  /// End in seconds since 1970 of a timer from before a restart; nil if unknown.
  private var restoredEnd: Int64?

  /// Duration of the fade before the end.
  static let fadeTime = Duration(seconds: 30)
  /// Gain at the end of the fade, in dB.
  private static let silence = -60.0
  private static let fadeStep = Duration(milliseconds: 100)

  /// The gain of the fade before the end, in dB; 0 before it.
  func fade(at now: MonotonicTime) -> Double {
    guard due != .never, now > due - Self.fadeTime else { return 0 }
    return Self.silence * min(1, 1 - (due - now).seconds / Self.fadeTime.seconds)
  }

  /// Time of the next change of the fade, or of the end.
  func nextChange(at now: MonotonicTime) -> MonotonicTime {
    guard due != .never else { return .never }
    return min(due, max(due - Self.fadeTime, now + Self.fadeStep))
  }

  mutating func set(minutes: Int?, at now: MonotonicTime) {
    due = minutes.map { now + Duration(milliseconds: Int64($0) * 60_000) } ?? .never
    restoredEnd = nil
  }

  mutating func restore(_ rest: SavedSleep?, at now: MonotonicTime) {
    set(minutes: rest?.minutes, at: now)
    restoredEnd = rest?.end
  }

  /// Advances the end of a restored timer by the time without power, once the clock is set. `wall`: seconds since 1970;
  /// nil if the clock is not set. `isKept`: true if a time server keeps the clock, which then moves no more.
  mutating func update(wall: Int64?, isKept: Bool, at now: MonotonicTime) {
    guard due != .never, let restoredEnd, let wall else { return }
    if isKept { self.restoredEnd = nil }
    let left = min(max(0, restoredEnd.subtractingReportingOverflow(wall).partialValue), 86_400)
    due = min(due, now + Duration(milliseconds: left * 1_000))
  }

  /// Returns the timer for the file. `wall`: seconds since 1970; nil if the clock is not set.
  func saved(wall: Int64?, at now: MonotonicTime) -> SavedSleep? {
    guard let minutes = minutesLeft(at: now) else { return nil }
    return SavedSleep(minutes: minutes, end: restoredEnd ?? wall.map { $0 + Int64((due - now).seconds) })
  }

  /// Remaining minutes, rounded up, at least 1; nil if the timer is off.
  func minutesLeft(at now: MonotonicTime) -> Int? {
    due == .never ? nil : max(1, Int(((due - now).seconds / 60).rounded(.up)))
  }

  /// Returns true once after the end, and switches the timer off.
  mutating func consumeEnd(at now: MonotonicTime) -> Bool {
    guard due != .never, now >= due else { return false }
    self = SleepTimer()
    return true
  }
}
