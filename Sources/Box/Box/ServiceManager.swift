import Framing
import Glibc
import System
import Units

/// What systemd is told (`ServiceNotice`).
struct ServiceManager {
  private let notice = ServiceNotice()
  private var status = ""
  private var nextFeed = MonotonicTime.zero

  /// So often the watchdog wants to be fed: half of what systemd allows; nil where it has none.
  let feedInterval: Duration? = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }.map {
    Duration(nanoseconds: $0 * 500)
  }

  /// The radio is up.
  func ready() { notice.send("READY=1") }

  /// The settings are being read again.
  func reloading(at now: MonotonicTime) { notice.send("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1_000)") }

  /// The end has begun.
  func stopping() { notice.send("STOPPING=1") }

  /// What the radio does, in words; told where it changed.
  mutating func tell(_ words: String) {
    guard words != status else { return }
    status = words
    // systemd takes each line as a word of its own.
    notice.send("STATUS=\(DisplayText.oneLine(words, blank: " "))")
  }

  /// When the watchdog is to be fed.
  var feedDue: MonotonicTime { feedInterval == nil ? .never : nextFeed }

  /// Feeds the watchdog where that is due.
  mutating func feed(at now: MonotonicTime) {
    guard let feedInterval, now >= nextFeed else { return }
    nextFeed = now + feedInterval
    notice.send("WATCHDOG=1")
  }
}
