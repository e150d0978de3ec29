import Glibc
import System

/// The right to change one file of a folder: a lock file beside it, `.NAME.lock`, held by `flock(2)`.
///
/// The lock file is readable by its owner alone: whoever can open a file can lock it, and anybody may open the folder.
/// It is removed with the lock; what a killed program leaves behind holds no lock.
struct FileLock: ~Copyable {
  /// The folder, open.
  var folder: Int32 { directory.raw }

  private let directory: Descriptor
  private let file: Descriptor
  private let name: String

  /// Another program that changes the file is waited for so often, 10 ms each time.
  private static let patience = 200

  /// Locks the file `name` of a folder, after two seconds at most; `shown` is the file's name in sentences.
  ///
  /// - Throws: `SettingsError` where the folder cannot be written to, or another program does not finish.
  init(_ name: String, in parent: String, shown: String) throws(SettingsError) {
    let opened = Descriptor(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { throw SettingsError(shown, cannot: "written", errno: errno) }
    let lock = ".\(name).lock"
    let held = try Self.wait(for: lock, in: opened.raw, shown)
    directory = opened
    file = held
    self.name = lock
  }

  // Both are closed after that.
  deinit { release() }

  /// Lets the next program change the file; without effect the second time.
  func release() {
    if Self.isNamed(file.raw, name, in: folder) { unlinkat(folder, name, 0) }
  }

  private static func wait(for name: String, in folder: Int32, _ shown: String) throws(SettingsError) -> Descriptor {
    for _ in 0..<patience {
      if let held = try attempt(name, in: folder, shown) { return held }
      usleep(10_000)
    }
    throw SettingsError(
      shown,
      Self.stranger(name, in: folder).map {
        "\(name) beside it belongs to user \($0); if no program of theirs is changing the file, remove \(name)"
      } ?? "another program is changing it; try again when that is done")
  }

  /// The lock file, locked; nil where another program has it.
  private static func attempt(_ name: String, in folder: Int32, _ shown: String) throws(SettingsError) -> Descriptor? {
    let file = Descriptor(openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
    guard file.isOpen else {
      let code = errno
      // Another user's, while that user changes the file.
      if code == EINTR || code == EACCES && isThere(name, in: folder) { return nil }
      throw SettingsError(shown, cannot: "written", errno: code)
    }
    shareWithOwner(file.raw, of: folder)
    guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else { throw SettingsError(shown, cannot: "locked", errno: code) }
      return nil
    }
    if isNamed(file.raw, name, in: folder) { return file }
    // The program that had it removed it meanwhile.
    return nil
  }

  /// A lock file that root makes, and does not live to remove, must not keep out the folder's owner (`fchown(2)`).
  private static func shareWithOwner(_ file: Int32, of folder: Int32) {
    var (lock, facts) = (stat(), stat())
    // Another name of some other file is not given away.
    guard geteuid() == 0, fstat(file, &lock) == 0, lock.st_mode & S_IFMT == S_IFREG, lock.st_nlink == 1,
      fstat(folder, &facts) == 0
    else { return }
    fchown(file, facts.st_uid, facts.st_gid)
  }

  /// The user whose lock file keeps this one out; nil where it can be opened. Who has it, and whether anybody still
  /// does, cannot be seen.
  private static func stranger(_ name: String, in folder: Int32) -> uid_t? {
    var facts = stat()
    guard faccessat(folder, name, R_OK | W_OK, AT_EACCESS) != 0, errno == EACCES,
      fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
    else { return nil }
    return facts.st_uid
  }

  private static func isThere(_ name: String, in folder: Int32) -> Bool {
    var facts = stat()
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Whether a name still leads to an open file.
  private static func isNamed(_ file: Int32, _ name: String, in folder: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &opened) == 0
      && (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
  }
}
