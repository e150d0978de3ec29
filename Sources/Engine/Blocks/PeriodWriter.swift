import Units

/// The writing end of the period ring, owned by one thread.
///
/// `append` merges short consecutive packets into one period. Otherwise Opus packets of 2.5 ms would reduce the ring to
/// 80 ms.
public struct PeriodWriter: ~Copyable {
  private let ring: UnsafePointer<PeriodRing>
  /// The unpublished period in the next slot, which may still grow.
  private var open: Period?

  /// Creates the only writer of a ring.
  public init(_ ring: UnsafePointer<PeriodRing>) { self.ring = ring }

  private var written: Int { ring.pointee.written.load(ordering: .relaxed) }

  /// Periods that may be written before the ring is full.
  public var freeCount: Int { PeriodRing.capacity - queuedCount - (open == nil ? 0 : 1) }

  /// Periods played or dropped so far.
  public var takenCount: Int { ring.pointee.read.load(ordering: .acquiring) }

  /// Published periods that are not yet played.
  public var queuedCount: Int { written - takenCount }

  /// Returns the queued frames of a programme after a seek; the others will be dropped.
  public func queuedFrames(of epoch: UInt32, after seek: UInt32) -> FrameCount {
    var count = 0
    for number in takenCount..<written {
      let period = ring.pointee.periods[PeriodRing.slot(number)]
      if period.epoch == epoch, period.seek == seek { count += Int(period.frameCount) }
    }
    return FrameCount(count)
  }

  /// Returns true if the next queued period belongs to another programme or seek, so that it will be dropped.
  public func beginsStale(for epoch: UInt32, after seek: UInt32) -> Bool {
    let first = takenCount
    guard first < written else { return false }
    let period = ring.pointee.periods[PeriodRing.slot(first)]
    return period.epoch != epoch || period.seek != seek
  }

  /// The next period's samples: `Period.frameCapacity` frames of two. Use it only if `freeCount` is not 0.
  public var room: UnsafeMutablePointer<Int32> { samples(at: written + (open == nil ? 0 : 1)) }

  private func samples(at number: Int) -> UnsafeMutablePointer<Int32> {
    ring.pointee.samples + PeriodRing.slot(number) * Period.sampleCapacity()
  }

  /// Adds the period in `room`. The reader sees it after `publish`, or once a period follows that cannot be merged.
  public mutating func append(_ period: Period) {
    precondition(freeCount > 0, "a period is written only where there is room")
    precondition(period.frameCount >= 0 && period.frameCount <= Period.frameCapacity, "a period holds 1,184 frames")
    guard var longer = open, longer.isContinued(by: period) else {
      publish()
      open = period
      return
    }
    let end = samples(at: written) + Int(longer.frameCount) * Period.channels
    end.update(from: room, count: Int(period.frameCount) * Period.channels)
    longer.frameCount += period.frameCount
    longer.duration = period.start + period.duration - longer.start
    open = longer
  }

  /// Publishes all added periods.
  public mutating func publish() {
    guard let whole = open else { return }
    let number = written
    ring.pointee.periods[PeriodRing.slot(number)] = whole
    ring.pointee.written.store(number + 1, ordering: .releasing)
    open = nil
  }

  /// Adds the period in `room` and publishes it.
  public mutating func commit(_ period: Period) {
    append(period)
    publish()
  }
}

extension Period {
  /// The maximum gap caused by rounding of a converted rate.
  private static var rounding: StreamTime { StreamTime(seconds: 0.001) }

  /// Returns true if `next` continues this period without a gap, and both fit into one slot.
  fileprivate func isContinued(by next: Period) -> Bool {
    guard frameCount + next.frameCount <= Self.longestPart, !flags.contains(.end), next.flags.isEmpty else {
      return false
    }
    let distance = next.start - (start + duration)
    return distance < Self.rounding && distance > .zero - Self.rounding
      && (epoch, seek, rate, sourceChannels) == (next.epoch, next.seek, next.rate, next.sourceChannels)
  }
}
