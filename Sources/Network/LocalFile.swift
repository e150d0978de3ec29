import Glibc

/// A file of this machine, read as if it came from a server.
final class LocalFile {
  private let descriptor: Int32

  /// The head that a server would send.
  let head: HttpHead

  /// Opens the file that a `file://` address names, at `firstByte`.
  ///
  /// - Throws: `localFile` with `EISDIR` for a folder and `EINVAL` for anything else that is no ordinary file, or for
  ///   a first byte beyond its end.
  init(_ address: WebAddress, firstByte: Int64?) throws(NetworkError) {
    let path = address.filePath
    guard !path.utf8.contains(0) else { throw .localFile(errno: ENOENT) }
    // Without O_NONBLOCK a named pipe would hold the thread until somebody writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .localFile(errno: errno) }
    do throws(NetworkError) {
      head = try Self.head(descriptor, address, firstByte: firstByte)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads on into `buffer` (`read(2)`); 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw .localFile(errno: errno) }
    return count
  }

  /// Gives the last `count` bytes back, to be read again.
  func unread(_ count: Int) { lseek(descriptor, -count, SEEK_CUR) }

  private static func head(
    _ descriptor: Int32, _ address: WebAddress, firstByte: Int64?
  ) throws(NetworkError) -> HttpHead {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .localFile(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .localFile(errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    let (size, start) = (Int64(status.st_size), firstByte ?? 0)
    guard start >= 0, start <= size, lseek(descriptor, Int(start), SEEK_SET) >= 0 else {
      throw .localFile(errno: EINVAL)
    }
    var head = HttpHead(status: 200, effectiveURL: address.url)
    head.contentLength = size - start
    head.acceptsRanges = true
    if firstByte != nil { (head.contentRangeStart, head.contentRangeTotal) = (start, size) }
    return head
  }
}
