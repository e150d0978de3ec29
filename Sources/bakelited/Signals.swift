import CLinux
import Glibc

/// SIGTERM and SIGINT, which end the program, and SIGHUP, which reads the settings again (`signalfd(2)`). Made before
/// any thread is, so that none of them is interrupted.
final class Signals {
  /// Can be read when a signal came.
  let descriptor: Int32
  /// Whether the program is to end.
  private(set) var isEnding = false
  private var isReloading = false

  init() {
    descriptor = bk_signal_open()
    precondition(descriptor >= 0, "the kernel gives a descriptor for signals")
    signal(SIGPIPE, SIG_IGN)
  }

  /// Takes what came.
  func attend() {
    while case let number = bk_signal_next(descriptor), number != 0 {
      if number == SIGHUP { isReloading = true } else { isEnding = true }
    }
  }

  /// Whether the settings are to be read again; once for each time.
  func takeReload() -> Bool {
    defer { isReloading = false }
    return isReloading
  }
}
