/// The newest segments of a list, within the limits of `SegmentList`.
///
/// Stored in pieces, so that a removal frees memory without moving the other segments.
struct NewestSegments {
  private struct Entry {
    let segment: MediaSegment
    let byteCount: Int
  }

  /// Removed segments are nil.
  private var pieces: [[Entry?]] = []
  private var goneCount = 0
  private var byteCount = 0
  private(set) var count = 0

  private static let pieceCount = 256

  /// Appends a segment. `byteCount`: bytes of the segment's text that earlier segments do not share.
  mutating func append(_ segment: MediaSegment, byteCount: Int) {
    if pieces.last.map({ $0.count == Self.pieceCount }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
    }
    pieces[pieces.count - 1].append(Entry(segment: segment, byteCount: byteCount))
    self.byteCount += byteCount
    count += 1
    while count > SegmentList.segmentLimit || self.byteCount > SegmentList.textLimit { removeOldest() }
  }

  private mutating func removeOldest() {
    byteCount -= pieces[0][goneCount]?.byteCount ?? 0
    pieces[0][goneCount] = nil
    count -= 1
    goneCount += 1
    guard goneCount == Self.pieceCount else { return }
    pieces.removeFirst()
    goneCount = 0
  }

  mutating func popLast() -> MediaSegment? {
    guard count > 0, let entry = pieces[pieces.count - 1].removeLast() else { return nil }
    if pieces[pieces.count - 1].isEmpty { pieces.removeLast() }
    byteCount -= entry.byteCount
    count -= 1
    return entry.segment
  }
}
