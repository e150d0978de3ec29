import CLinux
import Glibc
import PanelLinux

/// Ctrl-C, SIGTERM and a terminal that is closed: the first asks for a clean end, the second ends at once.
enum Interrupts {
  nonisolated(unsafe) private static var count: sig_atomic_t = 0

  /// Keeps the signals from the threads that are made in `body`, and listens for them afterwards on this one.
  static func catchAfter<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
    var signals = sigset_t()
    sigemptyset(&signals)
    // Who says nohup wants it to go on when the terminal is closed.
    let caught = bk_signal_is_ignored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    for number in caught { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer {
      for number in caught { signal(number, interrupted) }
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
    return try body()
  }

  /// Whether a clean end was asked for.
  static var isAsked: Bool { count > 0 }

  fileprivate static func note(_ number: Int32) {
    // A terminal that closes is told twice: by the shell, and by the kernel when the shell has ended.
    if number == SIGHUP, count > 0 { return }
    count += 1
    if count > 1 {
      TerminalKeyboard.restore()
      _exit(130)
    }
  }
}

private func interrupted(_ number: Int32) { Interrupts.note(number) }
