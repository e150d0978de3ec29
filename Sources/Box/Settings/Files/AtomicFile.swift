import CLinux
import Glibc
import System

/// A file that is replaced atomically: other programs see either the old or the new bytes. The new bytes are written to
/// a temporary file in the same folder. That file is synced and renamed; then the folder is synced. A lock excludes
/// other writers until `replace` or the end of this value.
struct AtomicFile: ~Copyable {
  let path: String
  private let shown: String
  private let lock: FileLock

  /// Locks the file. Waits at most two seconds for another writer.
  init(_ path: String) throws(SettingsError) {
    let file = resolvedPath(path) ?? path
    let parent = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    lock = try FileLock(Self.name(of: file), in: parent, shown: path)
    shown = path
    self.path = file
  }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// Replaces the bytes and releases the lock. An existing file retains its mode and owner. A new file has `mode`
  /// without the bits of the umask. If root creates the file, it belongs to the folder's owner and to `group`. If that
  /// group exists, the file has exactly `mode`, so that the group can read it.
  func replace(with bytes: [UInt8], mode: mode_t, group: String? = nil) throws(SettingsError) {
    let name = Self.name(of: path)
    let temporary = ".\(name).new"
    var old = stat()
    let isNew = stat(path, &old) != 0
    guard isNew || old.st_mode & S_IFMT == S_IFREG else { throw SettingsError(shown, "it is no file") }
    unlinkat(lock.folder, temporary, 0)
    // Other users must not open the file before it has its final owner and mode.
    let file = Descriptor(
      openat(lock.folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isNew ? mode : 0o600))
    guard file.isOpen else { throw SettingsError(shown, cannot: "written", errno: errno) }
    do throws(SettingsError) {
      if isNew { share(file.raw, mode, group) } else { try preserveOwner(old, of: file.raw) }
      try fill(file.raw, with: bytes)
      guard renameat(lock.folder, temporary, lock.folder, name) == 0 else {
        throw SettingsError(shown, cannot: "replaced", errno: errno)
      }
    } catch {
      unlinkat(lock.folder, temporary, 0)
      throw error
    }
    // The lock file is removed before the sync, because a later removal would need another write.
    lock.release()
    guard fsync(lock.folder) == 0 else { throw SettingsError(shown, cannot: "kept on the disk", errno: errno) }
  }

  private func fill(_ file: Int32, with bytes: [UInt8]) throws(SettingsError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { all in bk_write(file, all.baseAddress.map { $0 + done }, all.count - done) }
      guard count > 0 else { throw SettingsError(shown, cannot: "written", errno: count < 0 ? Int32(-count) : EIO) }
      done += count
    }
    guard fsync(file) == 0 else { throw SettingsError(shown, cannot: "kept on the disk", errno: errno) }
  }

  private func preserveOwner(_ old: stat, of file: Int32) throws(SettingsError) {
    var new = stat()
    fstat(file, &new)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid), fchown(file, old.st_uid, old.st_gid) != 0 {
      throw SettingsError(shown, "it belongs to another, and would not afterwards; change it as its owner or as root")
    }
    guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw SettingsError(shown, cannot: "written", errno: errno) }
  }

  /// Changes owner, group and mode of a new file that root created, so that the radio's user can read it. File systems
  /// without owners ignore this.
  private func share(_ file: Int32, _ mode: mode_t, _ group: String?) {
    var folder = stat()
    guard geteuid() == 0, fstat(lock.folder, &folder) == 0 else { return }
    let known = group.flatMap { Self.number(ofGroup: $0) }
    if fchown(file, folder.st_uid, known ?? folder.st_gid) == 0, known != nil { fchmod(file, mode) }
  }

  /// Returns a group's number (`getgrnam_r(3)`); nil if no group has that name.
  private static func number(ofGroup name: String) -> gid_t? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var texts = [CChar](repeating: 0, count: 65_536)
    guard getgrnam_r(name, &entry, &texts, texts.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }

  private static func name(of path: String) -> String {
    String(path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...])
  }
}
