import CLinux
import Glibc

/// Reads a complete file into memory.
public enum WholeFile {
  /// The reason for a failed read.
  public enum Problem: Error, Equatable {
    /// The file cannot be read; the value is errno.
    case unreadable(Int32)
    /// The path is a folder, a pipe or a device.
    case noFile
    /// The file exceeds the limit.
    case tooLong
  }

  /// Returns all bytes of a file with at most `limit` bytes (`open(2)`, `read(2)`). Never waits for a pipe.
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
