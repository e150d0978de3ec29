import CLinux
import System
import Units

/// Checks the clock, because certificates are invalid until it is set.
struct DoctorClock {
  /// Seconds since 1970.
  let seconds: Int64
  /// True if a time server synchronizes the clock.
  let isKept: Bool

  static var own: DoctorClock { DoctorClock(seconds: Int64(Clock.machine.wallSeconds()), isKept: bk_clock_is_kept()) }

  var finding: DoctorFinding {
    guard seconds >= CalendarDay.earliestClock.seconds else {
      return .problem(
        "clock", "The clock shows \(date), which is too early, so https stations cannot be played.",
        mend: "sudo timedatectl set-ntp true")
    }
    let keeper =
      isKept ? "a time server synchronizes it" : "no time server synchronizes it (timedatectl shows the reason)"
    return .ok("clock", "The clock is set, \(date); \(keeper).")
  }

  private var date: String { UtcText.minute(seconds) }
}
