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
  static var lastError: String { error(errno) }

  /// What an error number says: `strerror`.
  static func error(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}

extension MonotonicTime {
  /// This moment: `clock_gettime` with `CLOCK_MONOTONIC`.
  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }
}
