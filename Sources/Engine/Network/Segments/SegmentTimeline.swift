import Listings
import Units

/// Times of an HLS station's segments in its programme. Stores one time: of the segment last written to the ring, or
/// zero for the first segment of the first list. Other times follow from the durations in the list.
struct SegmentTimeline: Hashable, Sendable {
  /// Nil after restarted numbers, until a segment has arrived.
  private var knownStart: SegmentStart?

  struct SegmentStart: Hashable, Sendable {
    var sequence: UInt64
    var time: StreamTime
  }

  init(_ list: SegmentList) {
    knownStart = SegmentStart(sequence: list.segments.first?.sequence ?? list.sequence, time: .zero)
  }

  // MARK: Known times

  mutating func record(_ sequence: UInt64, at time: StreamTime) {
    knownStart = SegmentStart(sequence: sequence, time: time)
  }

  mutating func forget() { knownStart = nil }

  /// Keeps a known time: if `newer` has dropped the known segment, a segment in both lists replaces it.
  mutating func follow(from older: SegmentList, to newer: SegmentList) {
    guard let knownStart, let first = newer.segments.first?.sequence, knownStart.sequence < first,
      let last = older.segments.last?.sequence, let time = time(of: min(first, last), in: older)
    else { return }
    record(min(first, last), at: time)
  }

  // MARK: Positions

  func time(of sequence: UInt64, in list: SegmentList) -> StreamTime? {
    guard let knownStart else { return nil }
    let way = list.length(from: min(sequence, knownStart.sequence), to: max(sequence, knownStart.sequence))
    return sequence < knownStart.sequence ? knownStart.time - way : knownStart.time + way
  }

  /// Returns the segment at a time; for a time outside the list, the first or last segment.
  func segmentStart(at time: StreamTime, in list: SegmentList) -> SegmentStart? {
    guard let first = list.segments.first, var begin = self.time(of: first.sequence, in: list) else { return nil }
    var place = SegmentStart(sequence: first.sequence, time: begin)
    for segment in list.segments where begin <= time {
      place = SegmentStart(sequence: segment.sequence, time: begin)
      begin += segment.duration
    }
    return place
  }

  /// Returns the available part of the programme. `live`: number of the segment at which a new listener starts.
  func window(of list: SegmentList, live: UInt64) -> ProgrammeWindow? {
    guard let first = list.segments.first, let oldest = time(of: first.sequence, in: list),
      let begin = time(of: live, in: list)
    else { return nil }
    return ProgrammeWindow(
      oldest: max(.zero, oldest), live: max(.zero, begin), end: oldest + list.length, epoch: epoch(of: list))
  }

  /// Returns the broadcast time of stream time zero in ns since 1970 (UTC); nil without dates in the list.
  private func epoch(of list: SegmentList) -> Int64? {
    guard let segment = list.segments.first(where: { $0.sequence >= knownStart?.sequence ?? 0 }) ?? list.segments.first,
      let date = segment.date, let time = time(of: segment.sequence, in: list)
    else { return nil }
    let (sum, isOver) = date.subtractingReportingOverflow(time.nanoseconds)
    return isOver ? nil : sum
  }
}
