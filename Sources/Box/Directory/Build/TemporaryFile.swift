import Glibc
import System

/// The temporary file `.NAME.new` in the directory's folder, locked (`flock(2)`). It replaces the directory when
/// complete.
///
/// The lock ends with the process. A file left after a crash or power cut is truncated and used again. Only one program
/// at a time writes the directory. The folder may belong to a user who must not redirect root to other files. Root
/// therefore follows only its own symbolic link, and writes no file with a second name.
struct TemporaryFile: ~Copyable {
  /// The open file, readable and writable, empty at first.
  let file: Descriptor
  private let folder: Descriptor
  private let name: String
  private let target: String
  /// The directory's path, for errors.
  private let path: String
  private var isDone = false

  /// Opens and locks the temporary file for `path`; `LinkedPath` resolves symbolic links. Throws `.unwritable`, or
  /// `.busy` if another program has the lock.
  init(for path: String) throws(DirectoryError) {
    let place = try LinkedPath.end(of: path)
    let (parent, target) = LinkedPath.parts(place)
    let opened = Descriptor(Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { throw .unwritable(errno, at: place) }
    let locked = try Self.open(".\(target).new", in: opened.raw, for: place)
    guard ftruncate(locked.raw, 0) == 0 else { throw .unwritable(errno, at: place) }
    // If root creates the file, the folder's owner becomes its owner, to be able to replace it later. If that fails,
    // all users can still read the file.
    var owner = stat()
    if geteuid() == 0, fstat(opened.raw, &owner) == 0 { _ = fchown(locked.raw, owner.st_uid, owner.st_gid) }
    name = ".\(target).new"
    self.target = target
    self.path = place
    folder = opened
    file = locked
  }

  deinit { if !isDone, Self.isNamed(file.raw, name, in: folder.raw) { unlinkat(folder.raw, name, 0) } }

  private static func open(
    _ name: String, in folder: Int32, for path: String
  ) throws(DirectoryError) -> Descriptor {
    for _ in 0..<10 {
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let file = Descriptor(openat(folder, name, flags, 0o644))
      guard file.isOpen else {
        // The name may belong to another user's file after a crash, or to a special file; the folder's owner may remove
        // it.
        guard [EACCES, ELOOP, EISDIR].contains(errno), unlinkat(folder, name, 0) == 0 else {
          throw .unwritable(errno, at: path)
        }
        continue
      }
      var own = stat()
      guard fstat(file.raw, &own) == 0 else { throw .unwritable(errno, at: path) }
      guard own.st_mode & S_IFMT == S_IFREG, own.st_nlink <= 1 else {
        guard unlinkat(folder, name, 0) == 0 else { throw .unwritable(errno, at: path) }
        continue
      }
      guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK ? .busy : .unwritable(errno, at: path)
      }
      // Between open and lock, another program may have renamed the file.
      if isNamed(file.raw, name, in: folder) { return file }
    }
    throw .busy
  }

  /// Returns true if the name still refers to the open file, and the file has no other name.
  private static func isNamed(_ file: Int32, _ name: String, in folder: Int32) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(file, &own) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && named.st_ino == own.st_ino && named.st_dev == own.st_dev && named.st_nlink == 1
  }

  /// Opens an unnamed file in the same folder; closing its descriptor removes it.
  func nameless() throws(DirectoryError) -> Descriptor {
    let name = name + "-spool"
    unlinkat(folder.raw, name, 0)
    let file = Descriptor(openat(folder.raw, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
    guard file.isOpen, unlinkat(folder.raw, name, 0) == 0 else { throw .unwritable(errno, at: path) }
    return file
  }

  /// Syncs the file and renames it to the directory's name (`fsync(2)`, `rename(2)`). Throws `.unwritable`, or `.busy`
  /// if the temporary name belongs to another program's file.
  mutating func replace() throws(DirectoryError) {
    guard fsync(file.raw) == 0 else { throw .unwritable(errno, at: path) }
    guard Self.isNamed(file.raw, name, in: folder.raw) else { throw .busy }
    guard renameat(folder.raw, name, folder.raw, target) == 0 else { throw .unwritable(errno, at: path) }
    isDone = true
    guard fsync(folder.raw) == 0 else { throw .unwritable(errno, at: path) }
  }
}
