import Glibc
import System
import Units

/// The station directory's copy on this machine: stations by rank, the best voted first, dead ones last.
///
/// The file is mapped and read where something is asked for, so that a directory takes no memory of its own. It stays
/// what it was when it was opened, also after an update; open it again then. Any thread may ask.
public final class StationDirectory: Sendable {
  let file: DirectoryFile

  /// Opens a directory's file, compares its checksum, for which all of it is read, and looks at its offsets: 8 MB from
  /// a card take some tenths of a second.
  ///
  /// - Throws: `.absent`, `.foreign`, `.otherVersion`, `.damaged`, `.unreadable`.
  public init(path: String) throws(DirectoryError) {
    let opened = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard opened.isOpen else { throw errno == ENOENT ? .absent : .unreadable(errno) }
    var status = stat()
    guard fstat(opened.raw, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign }
    let size = Int(status.st_size)
    guard size <= FileLayout.longest else { throw .foreign }
    // All of it is read before it is mapped: a card that fails is an error there.
    let sum = try FileCheck.sum(of: opened.raw, count: size)
    file = try DirectoryFile(FileBytes(mapping: opened, count: size))
    guard sum == file.checksum, file.isSound else { throw .damaged }
  }

  /// A directory's file that is in memory; for tests.
  package init(bytes: UnsafeRawBufferPointer) throws(DirectoryError) {
    file = try DirectoryFile(FileBytes(copying: bytes))
    let checked = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(FileLayout.checkedFrom))
    guard Checksum.of(checked) == file.checksum, file.isSound else { throw .damaged }
  }

  /// How many stations it has. Ranks go from 0 to below that.
  public var count: Int { file.count }

  /// How many of them answered when the directory's servers looked last; those are the first.
  public var aliveCount: Int { file.aliveCount }

  /// When the list was made, in seconds since 1970.
  public var date: Int64 { file.date }

  /// Where it was fetched.
  public var source: String { file.source }

  /// The file's size in bytes.
  public var byteCount: Int { file.bytes.count }

  /// A station with all that is known of it.
  public subscript(rank: Int) -> DirectoryEntry { file.entry(rank) }

  /// A station's name; faster than the whole entry.
  public func name(of rank: Int) -> String { file.name(rank) }

  /// The station that has a uuid; nil where it is in no row of this list. It looks at all records.
  public func rank(of uuid: StationUuid) -> Int? {
    (0..<count).first { file.uuid($0) == uuid }
  }
}
