import Glibc
import System
import Units

/// The local copy of the station directory: stations by rank, alive ones with most votes first.
///
/// The file is mapped and read on demand, so that a directory needs no memory of its own. An open directory does not
/// change after an update; open it again. Any thread.
public final class StationDirectory: Sendable {
  let file: DirectoryFile

  /// Opens a directory file and checks its checksum and offsets, which reads the whole file: some tenths of a second
  /// for 8 MB on a card.
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
    // The whole file is read before it is mapped, so that a failing card is an error here.
    let sum = try FileCheck.sum(of: opened.raw, count: size)
    file = try DirectoryFile(FileBytes(mapping: opened, count: size))
    guard sum == file.checksum, file.isSound else { throw .damaged }
  }

  /// For tests: a directory in memory.
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

  public var source: String { file.source }

  public var byteCount: Int { file.bytes.count }

  public subscript(rank: Int) -> DirectoryEntry { file.entry(rank) }

  /// The name of a station; faster than the entry.
  public func name(of rank: Int) -> String { file.name(rank) }

  /// Returns the rank of the station with a uuid; nil if unknown. Scans all records.
  public func rank(of uuid: StationUuid) -> Int? {
    (0..<count).first { file.uuid($0) == uuid }
  }
}
