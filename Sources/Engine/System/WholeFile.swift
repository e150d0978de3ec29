import CLinux
import Glibc

/// A file that is held as a whole while it is read.
public enum WholeFile {
  /// Why there are no bytes.
  public enum Problem: Error, Equatable {
    /// It cannot be read: the number of the error.
    case unreadable(Int32)
    /// It is a folder, a pipe, a device.
    case noFile
    /// It has more bytes than it may.
    case tooLong
  }

  /// All bytes of a file, `limit` at most (`open(2)`, `read(2)`); a pipe is never waited for.
  public static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { throw .unreadable(errno) }
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
    guard status.st_size <= limit else { throw .tooLong }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = Glibc.read(file.raw, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(errno) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw .tooLong
  }
}
