import CLinux
import Glibc
import PanelLinux

/// Handles Ctrl-C, SIGTERM and a closed terminal: the first requests a clean end, the second ends at once.
enum Interrupts {
  nonisolated(unsafe) private static var count: sig_atomic_t = 0

  /// Blocks the signals in threads created by `body`, then handles them on this thread.
  static func catchAfter<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
    var signals = sigset_t()
    sigemptyset(&signals)
    // With nohup the program continues after the terminal is closed.
    let caught = bk_signal_is_ignored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    for number in caught { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer {
      for number in caught { signal(number, interrupted) }
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
    return try body()
  }

  static var isAsked: Bool { count > 0 }

  fileprivate static func record(_ number: Int32) {
    // The shell and the kernel both report a closed terminal, so a later SIGHUP is not a second request.
    if number == SIGHUP, count > 0 { return }
    count += 1
    if count > 1 {
      TerminalKeyboard.restore()
      _exit(130)
    }
  }
}

private func interrupted(_ number: Int32) { Interrupts.record(number) }
