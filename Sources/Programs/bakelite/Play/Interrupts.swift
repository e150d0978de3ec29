import CLinux
import Glibc
import PanelLinux
import System

/// Handles Ctrl-C, SIGTERM and a closed terminal: the first requests a clean end, a later one ends at once.
enum Interrupts {
  nonisolated(unsafe) private static var isFirstHere = false
  /// The time of the first signal in nanoseconds.
  nonisolated(unsafe) private static var first: Int64 = 0
  /// Minimum time between two requests, in nanoseconds. A terminal and a wrapper, such as make(1), both report one
  /// Ctrl-C.
  private static let oneRequest: Int64 = 300_000_000

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

  static var isAsked: Bool { isFirstHere }

  fileprivate static func record(_ number: Int32) {
    // This call is safe in a signal handler.
    let now = Clock.machine.now().nanoseconds
    guard isFirstHere else {
      (isFirstHere, first) = (true, now)
      return
    }
    // The shell and the kernel both report a closed terminal, so a later SIGHUP is not a second request.
    guard number != SIGHUP, now - first >= oneRequest else { return }
    TerminalKeyboard.restore()
    _exit(130)
  }
}

private func interrupted(_ number: Int32) { Interrupts.record(number) }
