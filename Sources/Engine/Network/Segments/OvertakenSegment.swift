import Listings
import Units

/// A segment that is still received, though a newer list has dropped it or restarted its numbers. Played if in time.
struct OvertakenSegment {
  /// Duration of the later segments that the list has dropped as well.
  private var lost: StreamTime
  private let isRestarted: Bool

  /// `lost`: duration of all dropped segments, including `segment`.
  init(_ segment: MediaSegment, lost: StreamTime) { self.init(lost: max(.zero, lost - segment.duration), false) }

  init(restarted before: OvertakenSegment?) { self.init(lost: before?.lost ?? .zero, true) }

  private init(lost: StreamTime, _ isRestarted: Bool) { (self.lost, self.isRestarted) = (lost, isRestarted) }

  mutating func addLost(_ lost: StreamTime) { self.lost += lost }

  func end(_ segment: MediaSegment, in list: SegmentList, isWhole: Bool, _ sink: SegmentOutput) {
    if isWhole {
      sink.end(isSegment: true)
    } else if isRestarted {
      sink.flushPacket()
      sink.interrupt()
    } else {
      sink.abandon(segment, in: list)
    }
    if lost > .zero { sink.skip(lost) }
  }
}
