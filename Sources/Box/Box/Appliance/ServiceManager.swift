import Framing
import Glibc
import System
import Units

struct ServiceManager {
  private let notice = ServiceNotice()
  private var status: ServiceStatus?
  private var nextFeed = MonotonicTime.zero

  /// Interval of watchdog messages: half of systemd's timeout; nil without a watchdog.
  let feedInterval: Duration? = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }.map {
    Duration(nanoseconds: $0 * 500)
  }

  func sendReady() { notice.send("READY=1") }

  func sendReloading(at now: MonotonicTime) { notice.send("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1_000)") }

  func sendStopping() { notice.send("STOPPING=1") }

  mutating func sendStatus(_ status: ServiceStatus) {
    guard status != self.status else { return }
    self.status = status
    // systemd parses each line as a variable.
    notice.send("STATUS=\(DisplayText.oneLine(status.line, blank: " "))")
  }

  var feedDue: MonotonicTime { feedInterval == nil ? .never : nextFeed }

  mutating func feed(at now: MonotonicTime) {
    guard let feedInterval, now >= nextFeed else { return }
    nextFeed = now + feedInterval
    notice.send("WATCHDOG=1")
  }
}
