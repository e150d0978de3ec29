import Synchronization
import Units

/// The place where another encoder's packets follow the buffered ones, with the clock's estimate of their overlap.
///
/// The net thread writes, the decode thread reads. Only the last join counts.
struct JoinMark: ~Copyable {
  private let place = Atomic<Int64>(.max)
  private let overlap = Atomic<Int64>(.min)
  private let lost = Atomic<Int64>(0)

  /// Stream time of the first packet of the other encoder; nil without a join.
  var start: StreamTime? {
    let ticks = place.load(ordering: .acquiring)
    return ticks == .max ? nil : StreamTime(ticks: ticks)
  }

  /// The estimate; nil if it is not known yet.
  var estimate: (overlap: StreamTime, lost: StreamTime)? {
    let ticks = overlap.load(ordering: .acquiring)
    return ticks == .min ? nil : (StreamTime(ticks: ticks), StreamTime(ticks: lost.load(ordering: .relaxed)))
  }

  func begin(at start: StreamTime) {
    overlap.store(.min, ordering: .relaxed)
    place.store(start.ticks, ordering: .releasing)
  }

  func estimate(overlap: StreamTime, lost: StreamTime) {
    self.lost.store(lost.ticks, ordering: .relaxed)
    self.overlap.store(overlap.ticks, ordering: .releasing)
  }

  func reset() { place.store(.max, ordering: .releasing) }
}
