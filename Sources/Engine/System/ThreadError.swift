import CLinux

/// The kernel refused a thread, because the machine or the user has reached a limit.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The thread's name, such as "render".
  public let name: String
  /// The error of pthread_create(3).
  public let errno: Int32

  /// Creates the error from errno, right after `bk_thread_start` failed.
  init(_ name: String) {
    self.name = name
    errno = bk_errno()
  }

  /// A sentence with event, reason and remedy.
  public var description: String {
    "Could not start the \(name) thread (\(errnoText(errno))); end other programs, or allow more tasks (ulimit -u, "
      + "TasksMax of the service)."
  }
}
