import Framing
import Glibc
import System

/// A bounded walk through the recordings folder and its subfolders. Follows no symbolic link.
struct FolderScan {
  private(set) var entries: [RecordingEntry] = []
  /// True if the folder has more than the limits allow.
  private(set) var isCut = false
  private var visitedCount = 0

  /// Maximum number of visited files and folders.
  private static let maxVisitedCount = 20_000
  private static let maxDepth = 8
  /// Extensions of recordings, also of formats that the radio plays and does not record yet.
  private static let extensions: Set = ["mp1", "mp2", "mp3", "aac", "ogg", "oga", "opus", "flac"]

  /// Returns true if the radio lists a path within the folder as a recording.
  static func admits(_ name: String) -> Bool {
    guard let parts = FileName.parts(name), parts.count <= maxDepth, let last = parts.last,
      parts.allSatisfy({ $0.utf8.first != UInt8(ascii: ".") }), let dot = last.utf8.lastIndex(of: UInt8(ascii: "."))
    else { return false }
    // A text that a reply would change could not be used as an argument.
    return extensions.contains(last[last.index(after: dot)...].lowercased())
      && DisplayText.oneLine(name, blank: " ") == name
  }

  /// Adds the recordings of an open folder. `prefix`: its path within the recordings folder, with a final "/".
  mutating func add(_ folder: consuming Descriptor, prefix: String = "", depth: Int = 1) {
    guard depth <= Self.maxDepth else { return isCut = true }
    // The stream owns a descriptor of its own.
    let own = fcntl(folder.raw, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return }
    guard let stream = fdopendir(own) else {
      close(own)
      return
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 } + [] }
      guard bytes.first != UInt8(ascii: "."), let name = String(validating: bytes, as: UTF8.self) else { continue }
      visitedCount += 1
      guard visitedCount <= Self.maxVisitedCount else { return isCut = true }
      visit(name, in: folder, prefix, depth)
    }
  }

  private mutating func visit(_ name: String, in folder: borrowing Descriptor, _ prefix: String, _ depth: Int) {
    var facts = stat()
    guard fstatat(folder.raw, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    let path = prefix + name
    switch facts.st_mode & S_IFMT {
    case S_IFDIR:
      let inner = Descriptor(openat(folder.raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
      if inner.isOpen { add(inner, prefix: path + "/", depth: depth + 1) }
    case S_IFREG where facts.st_nlink == 1 && Self.admits(path):
      entries.append(
        RecordingEntry(name: path, byteCount: Int(facts.st_size), modified: Int64(facts.st_mtim.tv_sec)))
    default: break
    }
  }
}
