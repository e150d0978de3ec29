import CLinux
import Glibc

/// SIGTERM and SIGINT end the program. SIGHUP reloads the settings; after its terminal closed, it ends the program.
///
/// Create before any other thread, so that the signals are blocked in all threads (`signalfd(2)`).
final class Signals {
  let descriptor: Int32
  private(set) var isEnding = false
  private var isReloading = false
  var isPanelInTerminal = false
  /// Descriptor of the terminal that started the program; negative for a service.
  private let terminal = bk_terminal_open()
  private let outlivesTerminal = bk_signal_is_ignored(SIGHUP)

  init() {
    descriptor = bk_signal_open()
    precondition(descriptor >= 0, "the kernel gives a descriptor for signals")
    signal(SIGPIPE, SIG_IGN)
  }

  func readPending() {
    while case let number = bk_signal_next(descriptor), number != 0 {
      if number == SIGHUP, !isHangUp { isReloading = true } else { isEnding = true }
    }
  }

  /// True if SIGHUP reports a closed terminal. A service has no terminal, so SIGHUP requests a reload.
  private var isHangUp: Bool {
    !outlivesTerminal && (isPanelInTerminal || terminal >= 0 && bk_has_hung_up(terminal))
  }

  func consumeReload() -> Bool {
    defer { isReloading = false }
    return isReloading
  }
}
