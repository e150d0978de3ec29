import Glibc
import System

/// The local copy of the station directory. A station's rank is its position: stations that respond by votes, then the
/// others.
///
/// The file is mapped and read on demand, so that it needs no memory of the process. An open directory does not change
/// after an update; open it again. Any thread.
public final class StationDirectory: Sendable {
  let file: DirectoryFile

  /// Opens a directory file, and checks its checksum and offsets. Reads the whole file: some tenths of a second for 8
  /// MB on a card.
  ///
  /// - Throws: `.absent`, `.foreign`, `.otherVersion`, `.damaged`, `.unreadable`.
  public init(path: String) throws(DirectoryError) {
    let opened = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard opened.isOpen else { throw errno == ENOENT ? .absent : .unreadable(errno) }
    var status = stat()
    guard fstat(opened.raw, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign }
    let size = Int(status.st_size)
    guard size <= FileLayout.maxFileLength else { throw .foreign }
    // The whole file is read before it is mapped, so that a broken card throws an error here.
    let sum = try FileCheck.sum(of: opened.raw, count: size)
    file = try DirectoryFile(FileBytes(mapping: opened, count: size))
    guard sum == file.checksum, file.isSound else { throw .damaged }
  }

  /// Creates a directory in memory, for tests.
  package init(bytes: UnsafeRawBufferPointer) throws(DirectoryError) {
    file = try DirectoryFile(FileBytes(copying: bytes))
    let checked = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(FileLayout.checkedFrom))
    guard Checksum.of(checked) == file.checksum, file.isSound else { throw .damaged }
  }

  /// Number of stations; ranks start at 0.
  public var count: Int { file.count }

  /// Number of stations that responded to the directory's last check; these have the first ranks.
  public var aliveCount: Int { file.aliveCount }

  /// Time of the download, in seconds since 1970.
  public var date: Int64 { file.date }

  /// The origin of the list.
  public var source: String { file.source }

  /// Size of the file in bytes.
  public var byteCount: Int { file.bytes.count }

  /// The complete entry of a station.
  public subscript(rank: Int) -> DirectoryEntry { file.entry(rank) }

  /// Returns the name of a station; faster than the whole entry.
  public func name(of rank: Int) -> String { file.name(rank) }

  /// Returns the rank of the station with a uuid; nil if unknown. Scans all records.
  public func rank(of uuid: StationUuid) -> Int? {
    (0..<count).first { file.uuid($0) == uuid }
  }
}
