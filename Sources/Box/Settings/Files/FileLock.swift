import Glibc
import System

/// A lock for one file: a lock file `.NAME.lock` in the same folder, locked with `flock(2)`. Only the owner can open
/// the lock file, because each user who can open a file can lock it. The end of the lock removes the lock file. A
/// killed program may leave the file, but the file is then unlocked.
struct FileLock: ~Copyable {
  var folder: Int32 { directory.raw }

  private let directory: Descriptor
  private let file: Descriptor
  private let name: String

  /// Maximum number of attempts while another program has the lock, 10 ms apart.
  private static let patience = 200

  /// Locks the file `name` in the folder `parent`. Throws after two seconds. `shown`: the file's name in error
  /// messages.
  init(_ name: String, in parent: String, shown: String) throws(SettingsError) {
    let opened = Descriptor(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { throw SettingsError(shown, cannot: "written", errno: errno) }
    let lock = ".\(name).lock"
    let held = try Self.wait(for: lock, in: opened.raw, shown)
    directory = opened
    file = held
    self.name = lock
  }

  // The descriptors of lock file and folder close only after this call.
  deinit { release() }

  /// Releases the lock. A second call has no effect.
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
        "\(name) next to it belongs to user \($0); if no program of that user is changing the file, remove \(name)"
      } ?? "another program is changing it; try again later")
  }

  private static func attempt(_ name: String, in folder: Int32, _ shown: String) throws(SettingsError) -> Descriptor? {
    let file = Descriptor(openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
    guard file.isOpen else {
      let code = errno
      // The lock file may belong to another user, who is changing the settings. The caller tries again.
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
    // The other program has removed the lock file, so this lock has no effect.
    return nil
  }

  /// Makes the folder's owner the owner of a lock file that root created (`fchown(2)`). Otherwise a lock file left by
  /// root would lock out the owner.
  private static func shareWithOwner(_ file: Int32, of folder: Int32) {
    var (lock, facts) = (stat(), stat())
    // If the lock file is a hard link to another file, the other file must retain its owner.
    guard geteuid() == 0, fstat(file, &lock) == 0, lock.st_mode & S_IFMT == S_IFREG, lock.st_nlink == 1,
      fstat(folder, &facts) == 0
    else { return }
    fchown(file, facts.st_uid, facts.st_gid)
  }

  /// Returns the owner of a lock file that this user cannot open; nil if this user can open the file.
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

  /// True if the name still refers to the open file.
  private static func isNamed(_ file: Int32, _ name: String, in folder: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &opened) == 0
      && (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
  }
}
