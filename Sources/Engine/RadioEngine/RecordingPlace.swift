import Glibc
import System

/// A folder that is open, and a name in it: what is done there stays there, whatever becomes of the paths.
struct RecordingPlace: ~Copyable {
  private let folder: Descriptor
  /// The name of the file in it.
  let name: String
  /// The whole path, for people.
  let path: String

  /// The place of a path, which may lead through any folders.
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

  /// The place of a name within `base`, which is made if need be; no symbolic link is followed below it. With
  /// `makesFolders` the folders of the name are made as well.
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

  /// Opens the file for reading and writing, makes it if need be, and locks it; a link, a folder or a device is
  /// refused.
  func openFile(isNew: Bool) throws(RecordingError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (isNew ? O_EXCL : 0)
    let file = Descriptor(openat(folder.raw, name, flags, 0o644))
    guard file.isOpen else { throw RecordingError(path, errno: errno) }
    var facts = stat()
    guard fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1 else {
      throw .notAFile(path)
    }
    guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else { throw .taken(path) }
    return file
  }

  /// Whether a file of this name is there.
  var isTaken: Bool { faccessat(folder.raw, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

  /// Tracks of the cue sheet beside it; nil where there is none, or an empty one.
  var cueTrackCount: Int? { CueSheetFile(in: folder, named: FileName.cue(name), makes: false)?.trackCount }

  /// The cue sheet beside it, open behind its last whole line, or empty; nil where there is none to be had. What is
  /// there and no cue sheet is left alone.
  func openCue(appends: Bool) -> Descriptor? {
    CueSheetFile(in: folder, named: FileName.cue(name), makes: true)?.open(appends: appends)
  }

  /// Removes the file.
  func remove() { unlinkat(folder.raw, name, 0) }

  /// Brings the folder's own entries to the disk.
  func sync() { fsync(folder.raw) }
}
