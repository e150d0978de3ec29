import Glibc
import System

/// A file of this machine, read as if it came from a server.
final class LocalFile {
  private let file: Descriptor
  /// Bytes of the wanted part that were not read yet; nil where all that follow are wanted.
  private var left: Int?

  /// The head that a server would send.
  let head: HttpHead

  /// Opens the file that a `file://` address names, at `firstByte`; `byteCount` bytes of it are read, or all.
  ///
  /// - Throws: `localFile` with `EISDIR` for a folder and `EINVAL` for anything else that is no ordinary file, or for
  ///   a first byte beyond its end.
  init(_ address: WebAddress, firstByte: Int64?, byteCount: Int64? = nil) throws(NetworkError) {
    left = byteCount.map { Int(clamping: $0) }
    let path = address.filePath
    guard !path.utf8.contains(0) else { throw .localFile(errno: ENOENT) }
    // Without O_NONBLOCK a named pipe would hold the thread until somebody writes to it.
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { throw .localFile(errno: errno) }
    head = try Self.head(file, address, firstByte: firstByte)
    self.file = file
  }

  /// Reads on into `buffer` (`read(2)`); 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    let count = Glibc.read(file.raw, buffer.baseAddress, min(buffer.count, left ?? buffer.count))
    guard count >= 0 else { throw .localFile(errno: errno) }
    left = left.map { $0 - count }
    return count
  }

  /// Gives the last `count` bytes back, to be read again.
  func unread(_ count: Int) {
    lseek(file.raw, -count, SEEK_CUR)
    left = left.map { $0 + count }
  }

  /// The file's last bytes (`pread(2)`); none where they cannot be read.
  static func tail(of address: WebAddress, _ count: Int) -> [UInt8] {
    guard !address.filePath.utf8.contains(0) else { return [] }
    let file = Descriptor(open(address.filePath, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { return [] }
    let end = lseek(file.raw, 0, SEEK_END)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(file.raw, buffer.baseAddress, count, max(0, end - count)))
    }
  }

  private static func head(
    _ file: borrowing Descriptor, _ address: WebAddress, firstByte: Int64?
  ) throws(NetworkError) -> HttpHead {
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw .localFile(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .localFile(errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    let (size, start) = (Int64(status.st_size), firstByte ?? 0)
    guard start >= 0, start <= size, lseek(file.raw, Int(start), SEEK_SET) >= 0 else {
      throw .localFile(errno: EINVAL)
    }
    var head = HttpHead(status: 200, effectiveURL: address.url)
    head.contentLength = size - start
    head.acceptsRanges = true
    if firstByte != nil { (head.contentRangeStart, head.contentRangeTotal) = (start, size) }
    return head
  }
}
