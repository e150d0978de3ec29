import Glibc
import System

/// Reads a local file as if it were a server's response.
package final class LocalFile {
  private let file: Descriptor
  /// Bytes of the requested part that are left to read; nil for the whole rest.
  private var left: Int?

  let head: HttpHead

  /// Opens the file at `firstByte`, to read `byteCount` bytes or the rest if nil. Throws `localFile`: with `EISDIR` for
  /// a folder, and with `EINVAL` for any other special file or a first byte beyond the end.
  init(_ address: WebAddress, firstByte: Int64?, byteCount: Int64? = nil) throws(NetworkError) {
    left = byteCount.map { Int(clamping: $0) }
    let path = address.filePath
    guard !path.utf8.contains(0) else { throw .localFile(errno: ENOENT) }
    // Without O_NONBLOCK, opening a named pipe would block until a process writes to the pipe.
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { throw .localFile(errno: errno) }
    head = try Self.head(file, address, firstByte: firstByte)
    self.file = file
  }

  /// Reads the next bytes into `buffer` (`read(2)`); returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    let count = Glibc.read(file.raw, buffer.baseAddress, min(buffer.count, left ?? buffer.count))
    guard count >= 0 else { throw .localFile(errno: errno) }
    left = left.map { $0 - count }
    return count
  }

  func unread(_ count: Int) {
    lseek(file.raw, -count, SEEK_CUR)
    left = left.map { $0 + count }
  }

  /// Returns the last `count` bytes of the file, or the first `most` of these bytes (`pread(2)`); empty if unreadable.
  package static func tail(of address: WebAddress, _ count: Int, atMost most: Int = .max) -> [UInt8] {
    read(address, min(count, most)) { end in max(0, end - count) }
  }

  /// Returns up to `count` bytes of the file from `byte` on (`pread(2)`); empty if unreadable.
  package static func part(of address: WebAddress, at byte: Int, _ count: Int) -> [UInt8] {
    read(address, count) { _ in byte }
  }

  /// `place`: returns the position of the first byte, from the length of the file.
  private static func read(_ address: WebAddress, _ length: Int, at place: (Int) -> Int) -> [UInt8] {
    guard !address.filePath.utf8.contains(0) else { return [] }
    let file = Descriptor(open(address.filePath, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { return [] }
    let end = lseek(file.raw, 0, SEEK_END)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(0, pread(file.raw, buffer.baseAddress, length, place(end)))
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
