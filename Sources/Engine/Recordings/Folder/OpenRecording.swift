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
    guard isInPlace, unlinkat(folder.raw, name, 0) == 0 else { return false }
    let cue = FileName.cue(name)
    let isOwn = CueSheetFile(in: folder, named: cue, makes: false)?.belongs(to: name, in: folder)
    if isOwn == true { unlinkat(folder.raw, cue, 0) }
    return true
  }

  /// Renames the file and its cue sheet within the folder. Replaces no file. Returns false with `errno` on failure.
  func rename(to new: String) -> Bool {
    let (cue, newCue) = (FileName.cue(name), FileName.cue(new))
    guard isInPlace else { return false }
    guard !isTaken(newCue) else {
      errno = EEXIST
      return false
    }
    var hasSheet = false
    if let sheet = CueSheetFile(in: folder, named: cue, makes: false), sheet.belongs(to: name, in: folder) {
      guard sheet.copy(in: folder, named: newCue, for: new) else { return false }
      hasSheet = true
    }
    let reason = -bk_rename_new(folder.raw, name, new)
    if hasSheet { unlinkat(folder.raw, reason == 0 ? cue : newCue, 0) }
    fsync(folder.raw)
    errno = reason
    return reason == 0
  }

  /// True if the name in the folder still belongs to the open file; false with `errno`.
  private var isInPlace: Bool {
    var (now, opened) = (stat(), stat())
    guard fstatat(folder.raw, name, &now, AT_SYMLINK_NOFOLLOW) == 0, fstat(file.raw, &opened) == 0 else { return false }
    errno = ENOENT
    return now.st_ino == opened.st_ino && now.st_dev == opened.st_dev
  }

  private func isTaken(_ name: String) -> Bool { faccessat(folder.raw, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }
}
