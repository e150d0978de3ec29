import CLinux
import Glibc
import System
import Units

/// A snapserver's named pipe, open for writing. A snapserver closes a pipe without a writer at once and retries every
/// 100 ms. The writer stays open without a reader, so that the next retry succeeds. Control thread only.
struct FeedPipe: ~Copyable {
  private let path: String
  private let writer: Descriptor
  private let facts: stat

  /// Opens an existing pipe, with or without a reader. Never creates a file and never waits.
  static func open(_ path: String) throws(SinkError) -> FeedPipe {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    // fifo(7): opening for reading first makes opening for writing succeed.
    let both = Descriptor(Glibc.open(path, O_RDWR | flags))
    var facts = stat()
    guard both.isOpen else {
      throw errno == ENOENT || errno == ENXIO ? .noFeed(path: path) : .fileFailed(path: path, errno: errno)
    }
    guard fstat(both.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { throw .noFeed(path: path) }
    let writer = Descriptor(Glibc.open(path, O_WRONLY | flags))
    guard writer.isOpen else { throw .fileFailed(path: path, errno: errno) }
    // Another file may have replaced the pipe between the two calls.
    var same = stat()
    guard fstat(writer.raw, &same) == 0, same.st_dev == facts.st_dev, same.st_ino == facts.st_ino else {
      throw .noFeed(path: path)
    }
    return FeedPipe(path: path, writer: writer, facts: facts)
  }

  var hasReader: Bool { bk_pipe_has_reader(writer.raw) }

  /// Waits up to 200 ms for a reader, only at the start. A running snapserver retries twice in this time.
  func waitForReader(by clock: Clock) {
    for _ in 0..<20 where !hasReader { clock.sleep(until: clock.now() + Duration(milliseconds: 10)) }
  }

  /// True if the path still names this pipe.
  var isInPlace: Bool {
    var now = stat()
    return stat(path, &now) == 0 && now.st_ino == facts.st_ino && now.st_dev == facts.st_dev
  }

  /// Returns the descriptor for writing, nonblocking because other programs may write to the pipe too.
  consuming func release() -> Descriptor { writer }
}
