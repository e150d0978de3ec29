import Listings
import Units

/// A segment that still comes, though the list has left it behind or counts anew: it is heard, if it comes in time.
struct OvertakenSegment {
  /// What the list has left behind after it.
  private var lost: StreamTime
  /// Whether the list counts anew.
  private let isRestarted: Bool

  /// One that a list has left behind with so much in all.
  init(_ segment: MediaSegment, lost: StreamTime) { self.init(lost: max(.zero, lost - segment.duration), false) }

  /// One of a list in whose place comes another that counts anew; `before` where it was left behind already.
  init(restarted before: OvertakenSegment?) { self.init(lost: before?.lost ?? .zero, true) }

  private init(lost: StreamTime, _ isRestarted: Bool) { (self.lost, self.isRestarted) = (lost, isRestarted) }

  /// The list has left behind so much more.
  mutating func lose(_ lost: StreamTime) { self.lost += lost }

  /// No more comes of it; `isWhole` says whether all of it did.
  func end(_ segment: MediaSegment, in list: SegmentList, isWhole: Bool, _ sink: SegmentOutput) {
    if isWhole {
      sink.end(isSegment: true)
    } else if isRestarted {
      sink.breakOff()
      sink.interrupt()
    } else {
      sink.leave(segment, in: list)
    }
    if lost > .zero { sink.skip(lost) }
  }
}
