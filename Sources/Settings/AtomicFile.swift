import CLinux
import Glibc

/// A file that others see whole, before or after it is written, whatever happens in between.
///
/// The new bytes go to a temporary name in the same folder, then to the disk, then the name is taken over, then the
/// folder goes to the disk. While this lives nobody else who asks for it changes a file of the folder.
struct AtomicFile: ~Copyable {
  /// The file itself, behind any symbolic link.
  let path: String
  private let shown: String
  private let folder: Int32

  /// Locks the file's folder (`flock(2)`), for two seconds at most if another has it.
  init(_ path: String) throws(SettingsError) {
    let file = Self.resolved(path)
    let parent = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    shown = path
    self.path = file
    folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SettingsError(path, cannot: "written", errno: errno) }
    for _ in 0..<200 {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw SettingsError(path, cannot: "locked", errno: errno) }
      usleep(10_000)
    }
    throw SettingsError(path, "another program is changing a file beside it; try again when that is done")
  }

  deinit { close(folder) }

  /// Whether the file is there.
  var isThere: Bool { access(path, F_OK) == 0 }

  /// Puts bytes in its place; a file that was there keeps its mode and owner, a new one gets `mode` less the umask.
  func replace(with bytes: [UInt8], mode: mode_t) throws(SettingsError) {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    let temporary = ".\(name).new"
    unlinkat(folder, temporary, 0)
    let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw SettingsError(shown, cannot: "written", errno: errno) }
    defer { close(file) }
    do throws(SettingsError) {
      try keepOwner(of: file)
      try fill(file, with: bytes)
      guard renameat(folder, temporary, folder, String(name)) == 0 else {
        throw SettingsError(shown, cannot: "replaced", errno: errno)
      }
    } catch {
      unlinkat(folder, temporary, 0)
      throw error
    }
    guard fsync(folder) == 0 else { throw SettingsError(shown, cannot: "kept on the disk", errno: errno) }
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

  private func keepOwner(of file: Int32) throws(SettingsError) {
    var (old, new) = (stat(), stat())
    guard stat(path, &old) == 0 else { return }
    guard old.st_mode & S_IFMT == S_IFREG else { throw SettingsError(shown, "it is no file") }
    fstat(file, &new)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid), fchown(file, old.st_uid, old.st_gid) != 0 {
      throw SettingsError(shown, "it belongs to another, and would not afterwards; change it as its owner or as root")
    }
    guard fchmod(file, old.st_mode & 0o7777) == 0 else { throw SettingsError(shown, cannot: "written", errno: errno) }
  }

  /// Where a path leads (`realpath(3)`), or itself where that is nowhere.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// What the C library says of its errors.
enum Errno {
  /// An error in words (`strerror(3)`).
  static func words(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
