import CLinux

/// The kernel refused a thread, because the machine or the user has reached a limit.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The thread's name: "render", "decode", "net", "file" or "display".
  public let name: String
  /// The error of pthread_create(3).
  public let errno: Int32

  /// Creates the error after `bk_thread_start` failed.
  init(_ name: String) {
    self.name = name
    errno = bk_errno()
  }

  /// A sentence for people.
  public var description: String {
    "Could not start the \(name) thread (\(errnoText(errno))); end other programs, or allow more tasks (ulimit -u, "
      + "TasksMax of the service)."
  }
}
