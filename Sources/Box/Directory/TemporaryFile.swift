import Glibc
import System

/// The file that takes the directory's place once it is whole: `.NAME.new` in the same folder, locked (`flock(2)`).
///
/// The lock goes with the process, so that what a power cut or a crash left is taken over and cut. Only one program at
/// a time writes the directory.
struct TemporaryFile: ~Copyable {
  /// Open for reading and writing, empty at first.
  let file: Descriptor
  private let folder: Descriptor
  private let name: String
  private let target: String
  private var isDone = false

  /// Opens and locks the file beside `path`, whose symbolic links are followed.
  ///
  /// - Throws: `.busy` where another program has it, `.unwritable`.
  init(for path: String) throws(DirectoryError) {
    let path = resolvedPath(path) ?? path
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let target = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    let opened = Descriptor(Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { throw .unwritable(errno) }
    let locked = try Self.open(".\(target).new", in: opened.raw)
    guard ftruncate(locked.raw, 0) == 0 else { throw .unwritable(errno) }
    // What root makes belongs to the folder's owner, who is to replace it later; where that cannot be, anybody reads
    // it.
    var owner = stat()
    if geteuid() == 0, fstat(opened.raw, &owner) == 0 { _ = fchown(locked.raw, owner.st_uid, owner.st_gid) }
    name = ".\(target).new"
    self.target = target
    folder = opened
    file = locked
  }

  deinit { if !isDone { unlinkat(folder.raw, name, 0) } }

  private static func open(_ name: String, in folder: Int32) throws(DirectoryError) -> Descriptor {
    for _ in 0..<10 {
      let file = Descriptor(openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644))
      guard file.isOpen else {
        // Another user's, after a crash, or no file: the folder's owner may remove it.
        guard [EACCES, ELOOP, EISDIR].contains(errno), unlinkat(folder, name, 0) == 0 else { throw .unwritable(errno) }
        continue
      }
      guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else { throw errno == EWOULDBLOCK ? .busy : .unwritable(errno) }
      // Between the two calls another program may have finished, and made it the directory.
      var (own, named) = (stat(), stat())
      guard fstat(file.raw, &own) == 0, own.st_mode & S_IFMT == S_IFREG else { throw .unwritable(EINVAL) }
      if fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == own.st_ino, named.st_dev == own.st_dev
      {
        return file
      }
    }
    throw .busy
  }

  /// A file in the same folder that has no name, and goes with its descriptor.
  func nameless() throws(DirectoryError) -> Descriptor {
    let name = name + "-spool"
    unlinkat(folder.raw, name, 0)
    let file = Descriptor(openat(folder.raw, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
    guard file.isOpen, unlinkat(folder.raw, name, 0) == 0 else { throw .unwritable(errno) }
    return file
  }

  /// Puts it on the disk, then under the directory's name (`fsync(2)`, `rename(2)`).
  mutating func replace() throws(DirectoryError) {
    guard fsync(file.raw) == 0, renameat(folder.raw, name, folder.raw, target) == 0 else { throw .unwritable(errno) }
    isDone = true
    guard fsync(folder.raw) == 0 else { throw .unwritable(errno) }
  }
}
