import Listings
import Units

/// When the segments of an HLS station sound in its programme. A value.
///
/// One segment's time is known: that of the last one whose packets went into the ring, or the first one's of the first
/// list, which is zero. What lies between it and another one follows from what the list says of them.
struct SegmentTimeline: Hashable, Sendable {
  /// The segment whose time is known; nil where the station counts anew and nothing of it came yet.
  private var known: Place?

  /// A segment, and when it begins to sound.
  struct Place: Hashable, Sendable {
    var sequence: UInt64
    var time: StreamTime
  }

  /// The time of a station whose first list is `list`.
  init(_ list: SegmentList) {
    known = Place(sequence: list.segments.first?.sequence ?? list.sequence, time: .zero)
  }

  // MARK: What becomes known

  /// A segment's first packet sounds at a time.
  mutating func note(_ sequence: UInt64, at time: StreamTime) { known = Place(sequence: sequence, time: time) }

  /// The station counts anew.
  mutating func forget() { known = nil }

  /// Another list comes in the place of `older`: a segment of both is the known one from now on.
  mutating func follow(from older: SegmentList, to newer: SegmentList) {
    guard let known, let first = newer.segments.first?.sequence, known.sequence < first,
      let last = older.segments.last?.sequence, let time = time(of: min(first, last), in: older)
    else { return }
    note(min(first, last), at: time)
  }

  // MARK: Places

  /// When a segment begins to sound; nil where that is not known.
  func time(of sequence: UInt64, in list: SegmentList) -> StreamTime? {
    guard let known else { return nil }
    let way = list.length(from: min(sequence, known.sequence), to: max(sequence, known.sequence))
    return sequence < known.sequence ? known.time - way : known.time + way
  }

  /// The segment that sounds at a time; before the first one that one, and behind the last one that.
  func place(at time: StreamTime, in list: SegmentList) -> Place? {
    guard let first = list.segments.first, var begin = self.time(of: first.sequence, in: list) else { return nil }
    var place = Place(sequence: first.sequence, time: begin)
    for segment in list.segments where begin <= time {
      place = Place(sequence: segment.sequence, time: begin)
      begin += segment.duration
    }
    return place
  }

  /// What a list has, its part at the end that is live beginning with the segment `live`.
  func window(of list: SegmentList, live: UInt64) -> ProgrammeWindow? {
    guard let first = list.segments.first, let oldest = time(of: first.sequence, in: list),
      let begin = time(of: live, in: list)
    else { return nil }
    return ProgrammeWindow(
      oldest: max(.zero, oldest), live: max(.zero, begin), end: oldest + list.length, epoch: epoch(of: list))
  }

  /// When time zero was on the air, by the segment whose time is known, or else by the list's first one.
  private func epoch(of list: SegmentList) -> Int64? {
    guard let segment = list.segments.first(where: { $0.sequence >= known?.sequence ?? 0 }) ?? list.segments.first,
      let date = segment.date, let time = time(of: segment.sequence, in: list)
    else { return nil }
    let (sum, isOver) = date.subtractingReportingOverflow(time.nanoseconds)
    return isOver ? nil : sum
  }
}
