import Glibc
import System
import Units

extension Descriptor {
  /// Sets the descriptor to nonblocking and close-on-exec (fcntl(2)).
  func makeNonblocking() {
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
  }
}

extension String {
  static var lastError: String { errnoText(errno, isCapitalized: true) }
}

extension MonotonicTime {
  static var now: MonotonicTime { Clock.machine.now() }
}
