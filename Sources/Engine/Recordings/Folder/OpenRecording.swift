import CLinux
import Glibc
import System

/// A recording that is open for reading, and its folder.
public final class OpenRecording: Sendable {
  /// The open file.
  public let file: Descriptor
  private let folder: Descriptor
  /// The name in `folder`.
  private let name: String

  /// Opens an ordinary file with a single name; nil with `errno` on failure, 0 for another kind of file.
  init?(_ name: String, in folder: consuming Descriptor) {
    let file = Descriptor(openat(folder.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY))
    guard file.isOpen else { return nil }
    var facts = stat()
    guard fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1 else {
      errno = 0
      return nil
    }
    self.name = name
    self.file = file
    self.folder = folder
  }

  /// True while the radio writes the file.
  var isGrowing: Bool { bk_is_written(file.raw) }

  /// Locks the file until it is closed; false if the radio writes it (flock(2)).
  func lock() -> Bool { flock(file.raw, LOCK_EX | LOCK_NB) == 0 }

  /// Removes the file, and its cue sheet unless that is another file. Returns false with `errno` on failure.
  func remove() -> Bool {
    var (now, opened) = (stat(), stat())
    guard fstatat(folder.raw, name, &now, AT_SYMLINK_NOFOLLOW) == 0, fstat(file.raw, &opened) == 0 else { return false }
    errno = ENOENT
    guard now.st_ino == opened.st_ino, now.st_dev == opened.st_dev, unlinkat(folder.raw, name, 0) == 0 else {
      return false
    }
    let cue = FileName.cue(name)
    if CueSheetFile(in: folder, named: cue, makes: false) != nil { unlinkat(folder.raw, cue, 0) }
    return true
  }
}
