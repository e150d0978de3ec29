import Glibc
import System

/// Makes a directory of entries as they come, and puts it in place of the old one when all are there.
///
/// Entries go to a file without a name beside the directory; of each 24 bytes stay in memory. Until `finish` returns
/// the old directory stays whole, whatever happens. One thread.
public final class DirectoryBuilder {
  /// What a built directory holds.
  public struct Summary: Hashable, Sendable {
    /// Stations.
    public let count: Int
    /// Stations that the directory reached at its last check.
    public let aliveCount: Int
    /// Entries that were left out, since one with the same uuid came before.
    public let duplicateCount: Int
    /// The file's size.
    public let byteCount: Int
  }

  private let limits: BuilderLimits
  private var target: TemporaryFile
  private let spool: Descriptor
  private var output: OutputFile
  private var stations: [SpooledStation] = []
  /// What no further entry can mend.
  private var fault: DirectoryError?

  /// Begins a directory that is to be at `path`.
  ///
  /// - Throws: `.busy` where another program is making it, `.unwritable`.
  public convenience init(path: String) throws(DirectoryError) { try self.init(path: path, limits: BuilderLimits()) }

  /// The same with other limits; for tests.
  init(path: String, limits: BuilderLimits) throws(DirectoryError) {
    self.limits = limits
    target = try TemporaryFile(for: path)
    spool = try target.nameless()
    output = OutputFile(spool.raw, longest: limits.spool)
  }

  /// How many entries came.
  public var count: Int { stations.count }

  /// Adds an entry.
  ///
  /// - Throws: `.unwritable`; `.tooLarge` after 500,000 entries, or 128 MiB of them. Then it cannot be finished either.
  public func append(_ entry: DirectoryEntry) throws(DirectoryError) {
    if let fault { throw fault }
    let folded = FoldedText(entry.name)
    let offset = output.place
    do throws(DirectoryError) {
      guard stations.count < FileLayout.mostStations else { throw .tooLarge }
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

  /// Writes the directory, puts it on the disk and in place of the old one.
  ///
  /// - Parameters:
  ///   - date: when the list was made, in seconds since 1970.
  ///   - source: where it comes from, as a person reads it.
  /// - Throws: `.empty` where no entry came, `.unwritable`, `.tooLarge`; the old directory stays.
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

  /// Of entries with one identity the first stays.
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

  /// The uuid; of an entry without one its address and name.
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

/// How bytes sort.
enum ByteOrder {
  /// Below zero where the first come before the second, above where after (`memcmp(3)`, then the length).
  static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    if count > 0, let one = first.baseAddress, let other = second.baseAddress {
      let order = memcmp(one, other, count)
      if order != 0 { return Int(order) }
    }
    return first.count - second.count
  }
}
