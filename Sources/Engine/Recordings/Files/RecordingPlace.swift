import CLinux
import Glibc
import System

/// A file name in an open folder: operations stay in that folder, even if paths change.
struct RecordingPlace: ~Copyable {
  private let folder: Descriptor
  let name: String
  let path: String

  init(path: String) throws(RecordingError) {
    let (parent, name) = FileName.split(path) ?? (".", path)
    guard !name.isEmpty, name != ".", name != ".." else { throw RecordingError(path, errno: EISDIR) }
    self.init(folder: try Self.open(parent, of: path), name: name, path: path)
  }

  private init(folder: consuming Descriptor, name: String, path: String) {
    self.folder = folder
    (self.name, self.path) = (name, path)
  }

  private static func open(_ folder: String, of path: String) throws(RecordingError) -> Descriptor {
    let opened = Descriptor(Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard opened.isOpen else { throw RecordingError(path, errno: errno) }
    return opened
  }

  /// The place of a name in `base`, which is created if needed; no symbolic link below it is followed. With
  /// `makesFolders` the folders in the name are created too.
  init(_ name: String, within base: String, makesFolders: Bool = false) throws(RecordingError) {
    guard var parts = FileName.parts(name), let last = parts.popLast() else { throw .outside(name) }
    let path = base == "." ? name : base.hasSuffix("/") ? base + name : "\(base)/\(name)"
    if mkdir(base, 0o755) != 0, errno != EEXIST { throw RecordingError(path, errno: errno) }
    var folder = try Self.open(base, of: path)
    for part in parts {
      if makesFolders { mkdirat(folder.raw, part, 0o755) }
      let next = openat(folder.raw, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else { throw RecordingError(path, errno: errno) }
      folder = Descriptor(next)
    }
    self.init(folder: folder, name: last, path: path)
  }

  /// Opens the file for reading and writing, creates it if needed, and locks it; refuses links, folders and devices.
  func openFile(isNew: Bool) throws(RecordingError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (isNew ? O_EXCL : 0)
    let file = Descriptor(openat(folder.raw, name, flags, 0o644))
    guard file.isOpen else { throw RecordingError(path, errno: errno) }
    var facts = stat()
    guard fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1 else {
      throw .notAFile(path)
    }
    guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else { throw .taken(path) }
    bk_mark_written(file.raw)
    return file
  }

  var isTaken: Bool { faccessat(folder.raw, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

  /// Number of tracks in the cue sheet next to the file; nil for a missing, empty or other file's sheet.
  var cueTrackCount: Int? {
    guard let sheet = CueSheetFile(in: folder, named: FileName.cue(name), makes: false) else { return nil }
    return sheet.belongs(to: name, in: folder) ? sheet.trackCount : nil
  }

  /// Opens the cue sheet next to the file, positioned after its last whole line, or empty; nil if not available. A file
  /// that is not a cue sheet, or that names another recording, stays untouched.
  func openCue(appends: Bool) -> Descriptor? {
    guard let sheet = CueSheetFile(in: folder, named: FileName.cue(name), makes: true) else { return nil }
    return sheet.belongs(to: name, in: folder) ? sheet.open(appends: appends) : nil
  }

  func remove() { unlinkat(folder.raw, name, 0) }

  func sync() { fsync(folder.raw) }
}
