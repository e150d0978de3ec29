import CLinux
import Glibc

/// A file that is held as a whole while it is read.
public enum SmallFile {
  /// All bytes of a file, `limit` at most (`open(2)`, `read(2)`).
  ///
  /// - Throws: `SettingsError` where it cannot be read, is longer, or is no file; a pipe is never waited for.
  public static func read(_ path: String, limit: Int) throws(SettingsError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SettingsError(path, cannot: "read", errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SettingsError(path, cannot: "read", errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SettingsError(path, "it is no file") }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SettingsError(path, cannot: "read", errno: errno) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw SettingsError(path, "it is longer than \(limit) bytes; is it the right file?")
  }

  /// The first line of a small file, such as one that holds a password.
  static func firstLine(_ path: String) throws(SettingsError) -> String {
    String(decoding: try read(path, limit: 4_096).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }
}
