import Glibc

/// Ctrl-C and SIGTERM: the first asks for a clean end, the second ends at once.
enum Interrupts {
  nonisolated(unsafe) private static var count: sig_atomic_t = 0

  /// Keeps the signals from the threads that are made in `body`, and listens for them afterwards on this one.
  static func catchAfter<R, E>(_ body: () throws(E) -> R) throws(E) -> R {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer {
      for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, interrupted) }
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
    return try body()
  }

  /// Whether a clean end was asked for.
  static var isAsked: Bool { count > 0 }

  fileprivate static func note() {
    count += 1
    if count > 1 { _exit(130) }
  }
}

private func interrupted(_ signal: Int32) { Interrupts.note() }
