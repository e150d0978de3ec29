/// The newest segments of a list, however many it has: as many as `SegmentList` may hold.
struct NewestSegments {
  private struct Entry {
    let segment: MediaSegment
    let byteCount: Int
  }

  /// Nil: let go, and not yet removed.
  private var entries: [Entry?] = []
  private var goneCount = 0
  private var byteCount = 0

  /// From the newest to the oldest.
  var backwards: some Sequence<MediaSegment> { entries[goneCount...].reversed().lazy.compactMap { $0?.segment } }

  /// Adds one whose texts, as far as those before it do not have them, take so many bytes.
  mutating func append(_ segment: MediaSegment, byteCount: Int) {
    entries.append(Entry(segment: segment, byteCount: byteCount))
    self.byteCount += byteCount
    while entries.count - goneCount > SegmentList.segmentLimit || self.byteCount > SegmentList.textLimit { letGo() }
  }

  private mutating func letGo() {
    self.byteCount -= entries[goneCount]?.byteCount ?? 0
    entries[goneCount] = nil
    goneCount += 1
    // Moving all the others for each would be slow.
    guard goneCount == Self.mostGone else { return }
    entries.removeFirst(goneCount)
    goneCount = 0
  }

  private static let mostGone = 1_024
}
