import Glibc

/// A file that only its owner can read.
enum PrivateFile {
  /// Replaces a file atomically (`rename(2)`). Returns 0, or errno.
  static func replace(_ path: String, _ bytes: [UInt8]) -> Int32 {
    let fresh = path + ".new"
    unlink(fresh)
    let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    let code = isWritten ? 0 : max(errno, EIO)
    close(file)
    guard isWritten, rename(fresh, path) == 0 else {
      let problem = code == 0 ? errno : code
      unlink(fresh)
      return problem
    }
    return 0
  }
}
