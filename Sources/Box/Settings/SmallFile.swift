import CLinux
import Glibc
import System

/// A file that is held as a whole while it is read.
public enum SmallFile {
  /// All bytes of a file, `limit` at most (`open(2)`, `read(2)`).
  ///
  /// - Throws: `SettingsError` where it cannot be read, is longer, or is no file; a pipe is never waited for.
  public static func read(_ path: String, limit: Int) throws(SettingsError) -> [UInt8] {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.isOpen else { throw SettingsError(path, cannot: "read", errno: errno) }
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw SettingsError(path, cannot: "read", errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SettingsError(path, "it is no file") }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = Glibc.read(file.raw, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SettingsError(path, cannot: "read", errno: errno) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
    throw SettingsError(path, "it is longer than \(limit) bytes; is it the right file?")
  }

  /// The first line of a file that holds a secret: its path from the root on, or the name of a credential that systemd
  /// gave the service (`LoadCredential=`, systemd.exec(5)).
  ///
  /// - Throws: `SettingsError` where it cannot be read, or the program was given no credentials.
  static func secret(_ place: String) throws(SettingsError) -> String {
    if place.contains("/") { return try firstLine(place) }
    guard let folder = getenv("CREDENTIALS_DIRECTORY") else {
      throw SettingsError(
        place,
        "it is the name of a credential, and the service was given none; put it into /etc/credstore/\(place), for "
          + "which the unit needs LoadCredential=, or name a file by a path that begins with /")
    }
    return try firstLine("\(String(cString: folder))/\(place)")
  }

  private static func firstLine(_ path: String) throws(SettingsError) -> String {
    String(decoding: try read(path, limit: 4_096).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }
}
