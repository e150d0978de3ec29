import Glibc
import System

/// Builds a directory from entries, and replaces the old directory when complete.
///
/// Entries are written to an unnamed file in the same folder; 24 bytes of each stay in memory. The old directory stays
/// valid until `finish` returns. One thread.
public final class DirectoryBuilder {
  /// The figures of a built directory.
  public struct Summary: Hashable, Sendable {
    /// Number of stations.
    public let count: Int
    /// Number of stations that responded to the directory's last check.
    public let aliveCount: Int
    /// Number of dropped duplicates: entries with the same uuid, or without a uuid with the same address and name.
    public let duplicateCount: Int
    /// Size of the file in bytes.
    public let byteCount: Int
  }

  private let limits: BuilderLimits
  private var target: TemporaryFile
  private let spool: Descriptor
  private var output: OutputFile
  private var stations: [SpooledStation] = []
  private var fault: DirectoryError?

  /// Starts to build the directory at `path`. Throws `.unwritable`, or `.busy` if another program is building it.
  public convenience init(path: String) throws(DirectoryError) { try self.init(path: path, limits: BuilderLimits()) }

  /// Starts to build a directory with other limits, for tests.
  init(path: String, limits: BuilderLimits) throws(DirectoryError) {
    self.limits = limits
    target = try TemporaryFile(for: path)
    spool = try target.nameless()
    output = OutputFile(spool.raw, longest: limits.spool)
  }

  /// Number of entries so far.
  public var count: Int { stations.count }

  /// Adds an entry. Throws `.unwritable`, or `.tooLarge` above 500,000 entries or 128 MiB. After an error, `finish`
  /// throws the same error.
  public func append(_ entry: DirectoryEntry) throws(DirectoryError) {
    if let fault { throw fault }
    let folded = FoldedText(entry.name)
    let offset = output.place
    do throws(DirectoryError) {
      guard stations.count < FileLayout.maxStations else { throw .tooLarge }
      try output.write { SpoolReader.write(entry, folded: folded, to: &$0) }
    } catch {
      fault = error
      throw error
    }
    stations.append(
      SpooledStation(
        nameKey: FoldedText.key(folded.bytes), identity: Self.identity(entry),
        order: (entry.isAlive ? 0 : 1 << 31) | UInt32(Int32.max - Int32(clamping: entry.votes)),
        offset: UInt32(offset)))
  }

  /// Writes the directory, syncs it and replaces the old one. `date`: time of the download, in seconds since 1970.
  /// `source`: origin of the list, for people.
  ///
  /// - Throws: `.empty` without entries, `.unwritable`, `.unreadable`, `.tooLarge`, `.busy`. The old directory then
  /// stays.
  public func finish(date: Int64, source: String) throws(DirectoryError) -> Summary {
    if let fault { throw fault }
    guard !stations.isEmpty else { throw .empty }
    fault = .empty
    try output.flush()
    let all = stations.count
    dropDuplicates()
    let bytes = try FileBytes(mapping: spool, count: output.place)
    sort(bytes)
    var writer = DirectoryWriter(bytes, stations, limits, to: target.file.raw)
    let size = try writer.write(date: date, source: source)
    try target.replace()
    return Summary(
      count: stations.count, aliveCount: writer.aliveCount, duplicateCount: all - stations.count, byteCount: size)
  }

  private func dropDuplicates() {
    stations.sort { ($0.identity, $0.offset) < ($1.identity, $1.offset) }
    var kept = 0
    for index in stations.indices {
      if kept > 0, stations[kept - 1].identity == stations[index].identity { continue }
      stations[kept] = stations[index]
      kept += 1
    }
    stations.removeLast(stations.count - kept)
  }

  private func sort(_ spool: FileBytes) {
    stations.sort { first, second in
      if first.order != second.order { return first.order < second.order }
      if first.nameKey != second.nameKey { return first.nameKey < second.nameKey }
      let names = [first, second].map { SpoolReader.foldedName(spool, at: $0.offset) }
      let order = ByteOrder.compare(names[0], names[1])
      return order == 0 ? first.offset < second.offset : order < 0
    }
  }

  /// Returns a hash of the uuid; without a uuid, of address and name.
  private static func identity(_ entry: DirectoryEntry) -> UInt64 {
    if let uuid = entry.uuid {
      var sum = Checksum()
      withUnsafeBytes(of: (uuid.high, uuid.low)) { sum.append($0) }
      return sum.value
    }
    var bytes = Array(entry.url.unredacted.utf8)
    bytes.append(0)
    bytes += entry.name.utf8
    return bytes.withUnsafeBytes { Checksum.of($0) }
  }
}

enum ByteOrder {
  /// Compares bytes, then lengths (`memcmp(3)`). Returns a negative number if the first bytes sort before the second,
  /// positive if after.
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    if count > 0, let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, count)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
