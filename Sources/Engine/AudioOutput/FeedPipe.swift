import CLinux
import Glibc
import System
import Units

/// The named pipe that a snapserver reads, held open for writing. Its end closes it.
///
/// A snapserver leaves a pipe at once that nobody writes, and looks again after 100 ms; so it is held open while nobody
/// reads it, or the two would miss each other. The control thread's.
struct FeedPipe: ~Copyable {
  private let path: String
  private let writer: Descriptor
  private let facts: stat

  /// Opens a pipe that is there, whether or not somebody reads it; never makes one, and never waits.
  static func open(_ path: String) throws(SinkError) -> FeedPipe {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    // A pipe that is open for reading can be opened for writing (fifo(7)).
    let both = Descriptor(Glibc.open(path, O_RDWR | flags))
    var facts = stat()
    guard both.isOpen else {
      throw errno == ENOENT || errno == ENXIO ? .noFeed(path: path) : .fileFailed(path: path, errno: errno)
    }
    guard fstat(both.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { throw .noFeed(path: path) }
    let writer = Descriptor(Glibc.open(path, O_WRONLY | flags))
    guard writer.isOpen else { throw .fileFailed(path: path, errno: errno) }
    // Another file may have come into its place in between.
    var same = stat()
    guard fstat(writer.raw, &same) == 0, same.st_dev == facts.st_dev, same.st_ino == facts.st_ino else {
      throw .noFeed(path: path)
    }
    return FeedPipe(path: path, writer: writer, facts: facts)
  }

  /// Whether somebody reads it.
  var hasReader: Bool { bk_pipe_has_reader(writer.raw) }

  /// Waits as long as a snapserver that runs needs until it looks again, and some more: at the start alone.
  func waitForReader(by clock: Clock) {
    for _ in 0..<20 where !hasReader { clock.sleep(until: clock.now() + Duration(milliseconds: 10)) }
  }

  /// Whether it is still the pipe that its path leads to.
  var isInPlace: Bool {
    var now = stat()
    return stat(path, &now) == 0 && now.st_ino == facts.st_ino && now.st_dev == facts.st_dev
  }

  /// Gives the descriptor to write to. It never waits: others may write to the pipe as well.
  consuming func take() -> Descriptor { writer }
}
