import CLinux
import Glibc

/// SIGTERM and SIGINT, which end the program, and SIGHUP (`signalfd(2)`), which ends it with its terminal, and reads
/// the settings again elsewhere. Made before any thread is, so that none of them is interrupted.
final class Signals {
  /// Can be read when a signal came.
  let descriptor: Int32
  /// Whether the program is to end.
  private(set) var isEnding = false
  private var isReloading = false
  /// Whether the panel is drawn in a terminal, which takes the program along when it is closed.
  var isPanelInTerminal = false
  /// The terminal that the program was started from; negative for a service.
  private let terminal = bk_terminal_open()
  private let outlivesTerminal = bk_signal_is_ignored(SIGHUP)

  init() {
    descriptor = bk_signal_open()
    precondition(descriptor >= 0, "the kernel gives a descriptor for signals")
    signal(SIGPIPE, SIG_IGN)
  }

  /// Takes what came.
  func attend() {
    while case let number = bk_signal_next(descriptor), number != 0 {
      if number == SIGHUP, !isHangUp { isReloading = true } else { isEnding = true }
    }
  }

  /// Whether SIGHUP says that the terminal is gone: a service has none, and is told to read its settings again.
  private var isHangUp: Bool {
    !outlivesTerminal && (isPanelInTerminal || terminal >= 0 && bk_has_hung_up(terminal))
  }

  /// Whether the settings are to be read again; once for each time.
  func takeReload() -> Bool {
    defer { isReloading = false }
    return isReloading
  }
}
