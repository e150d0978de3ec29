import CLinux

/// A thread that the kernel does not give: the machine, or the user, has as many as it may have.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the thread is for: "render", "decode", "net", "file" or "display".
  public let name: String
  /// What pthread_create(3) answered.
  public let errno: Int32

  /// The error of a thread that `bk_thread_start` has just refused to make.
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
