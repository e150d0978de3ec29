import Blocks
import Framing
import Units

/// The newest packets of a second connection, in blocks of the heard ring's pool, and the data of all second
/// connections. All sessions share the window, since only the heard one has a second connection. Net thread only.
final class SecondWindow {
  private var writer: BlockWriter
  /// Titles with the times of their packets in the window.
  private var titles: [(title: StationTitle, at: StreamTime)] = []
  private var day = (start: MonotonicTime.zero, byteCount: 0)

  /// Maximum duration. Servers of one programme differ less.
  static let length = StreamTime(seconds: 20)
  private static let maxTitles = 16
  private static let dayDuration = Duration(seconds: 86_400)

  /// `ring`: a standby ring.
  init(_ ring: UnsafePointer<BlockRing>) {
    writer = BlockWriter(ring)
    titles.reserveCapacity(Self.maxTitles)
    writer.begin(epoch: 0)
  }

  // MARK: Packets

  var isEmpty: Bool { writer.held == .zero }

  /// Stream time of the oldest packet.
  private var start: StreamTime { writer.time - writer.held }

  func removeAll() {
    writer.begin(epoch: 0)
    titles.removeAll(keepingCapacity: true)
  }

  /// `lender` frees blocks of the heard ring.
  func append(
    _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?, lender: (Int) -> Bool
  ) {
    if let title {
      if titles.count == Self.maxTitles { titles.removeFirst() }
      titles.append((title, writer.time))
    }
    let count = BlockWriter.readRoom
    if writer.lacksPool(count) { _ = lender(count) }
    if !writer.slide(info, bytes, over: Self.length) { removeAll() }
  }

  func forEachPacket(_ body: (PacketInfo, UnsafeRawBufferPointer) -> Void) { writer.forEachPacket(body) }

  /// Returns the titles with their times after the first `overlap`. The last title before that time has the time zero.
  func titles(after overlap: StreamTime) -> [(title: StationTitle, after: StreamTime, isRepeated: Bool)] {
    let end = start + overlap
    let first = titles.firstIndex { $0.at >= end } ?? titles.count
    return titles.dropFirst(max(0, first - 1)).map { ($0.title, max(.zero, $0.at - end), $0.at < end) }
  }

  // MARK: Data

  func recordBytes(_ count: Int, at now: MonotonicTime) {
    if now - day.start >= Self.dayDuration { day = (now, 0) }
    day.byteCount += count
  }

  /// False if the data of the last 24 hours reaches the limit.
  func allowsData(_ limit: Int?, at now: MonotonicTime) -> Bool {
    guard let limit else { return true }
    return day.byteCount < limit || now - day.start >= Self.dayDuration
  }
}
