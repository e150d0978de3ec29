import Glibc
import System

/// The recordings and kept songs in a folder. Each call blocks for the disk. Any thread.
///
/// Names are paths within the folder. Hidden files, links and files of other kinds are neither listed nor opened.
public struct RecordingFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// The recordings in a folder, newest first.
  public struct Listing: Sendable {
    /// At most 4,096 recordings.
    public let entries: [RecordingEntry]
    /// True if the folder contains more.
    public let isCut: Bool
    /// True if the folder does not exist; the first recording creates it.
    public let isMissing: Bool
  }

  private static let maxEntryCount = 4_096
  /// Bytes at the start of a file that show its average bit rate.
  private static let headByteCount = 16_384

  /// Creates the view of a folder, which may be missing.
  public init(_ path: String) { self.path = path }

  /// Returns the full path of a name.
  public func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  /// Lists the recordings, newest first.
  public func list() throws(RecordingError) -> Listing {
    let folder = Descriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard folder.isOpen else {
      guard errno == ENOENT else { throw .unreadable(path, errno: errno) }
      return Listing(entries: [], isCut: false, isMissing: true)
    }
    var scan = FolderScan()
    scan.add(folder)
    let sorted = scan.entries.sorted {
      $0.modified != $1.modified ? $0.modified > $1.modified : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    return Listing(
      entries: Array(sorted.prefix(Self.maxEntryCount)), isCut: scan.isCut || sorted.count > Self.maxEntryCount,
      isMissing: false)
  }

  /// Reads the state of a recording from the start of its file.
  public func details(of entry: RecordingEntry) -> RecordingDetails {
    guard let recording = try? open(entry.name) else { return RecordingDetails(seconds: nil, isGrowing: false) }
    let start = ExistingRecording(reading: recording.file.raw, most: Self.headByteCount)
    let seconds = start.end > 0 ? start.duration.seconds * Double(entry.byteCount) / Double(start.end) : nil
    return RecordingDetails(seconds: seconds, isGrowing: recording.isGrowing)
  }

  /// Opens a recording for reading.
  public func open(_ name: String) throws(RecordingError) -> OpenRecording {
    guard FolderScan.admits(name), var parts = FileName.parts(name), let last = parts.popLast() else {
      throw .notListed
    }
    var folder = Descriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    for part in parts where folder.isOpen {
      folder = Descriptor(openat(folder.raw, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }
    guard folder.isOpen, let recording = OpenRecording(last, in: folder) else { throw .unreadable(name, errno: errno) }
    return recording
  }

  /// Removes a recording, its cue sheet, and the empty folder of a split recording. Refuses a file in progress.
  public func remove(_ name: String) throws(RecordingError) {
    let recording = try open(name)
    guard recording.lock() else { throw .growing(name) }
    guard recording.remove() else { throw .unremoved(name, errno: errno) }
    guard let parts = FileName.parts(name), parts.count == 2 else { return }
    let base = Descriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    // The kernel refuses to remove a folder with files.
    if base.isOpen { unlinkat(base.raw, parts[0], AT_REMOVEDIR) }
  }

  /// Renames a recording and its cue sheet within their folder, and returns the new name. The ending stays. Refuses a
  /// file in progress, and a name that exists.
  @discardableResult
  public func rename(_ name: String, to new: String) throws(RecordingError) -> String {
    let recording = try open(name)
    guard let last = FileName.renamed(FileName.last(name), to: new) else { throw .noNewName }
    let renamed = FileName.split(name).map { "\($0.folder)/\(last)" } ?? last
    guard FolderScan.admits(renamed) else { throw .noNewName }
    guard recording.lock() else { throw .growing(name) }
    guard renamed.utf8.elementsEqual(name.utf8) || recording.rename(to: last) else {
      throw .unrenamed(name, to: renamed, errno: errno)
    }
    return renamed
  }
}
