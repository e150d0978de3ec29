import Glibc
import System
import Units

extension Descriptor {
  /// Makes reads and writes return at once, and keeps the descriptor from child processes: `fcntl`.
  func makeNonblocking() {
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
  }
}

extension String {
  /// What `errno` says.
  static var lastError: String { errnoText(errno, isCapitalized: true) }
}

extension MonotonicTime {
  /// This moment.
  static var now: MonotonicTime { Clock.machine.now() }
}
