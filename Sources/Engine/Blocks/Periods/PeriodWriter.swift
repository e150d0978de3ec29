import Units

/// The writing end of the period ring. Decode thread only.
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

  /// Number of periods that may be written before the ring is full.
  public var freeCount: Int { PeriodRing.capacity - queuedCount - (open == nil ? 0 : 1) }

  /// Number of periods played or dropped so far.
  public var consumedCount: Int { ring.pointee.read.load(ordering: .acquiring) }

  /// Number of published periods that are neither played nor dropped.
  public var queuedCount: Int { written - consumedCount }

  /// Returns the number of published frames of a programme after a seek; the reader drops all others.
  public func queuedFrames(of epoch: UInt32, after seek: UInt32) -> FrameCount {
    var count = 0
    for number in consumedCount..<written {
      let period = ring.pointee.periods[PeriodRing.slot(number)]
      if period.epoch == epoch, period.seek == seek { count += Int(period.frameCount) }
    }
    return FrameCount(count)
  }

  /// Returns true if the oldest published period is of another programme or seek, so that the reader drops it.
  public func beginsStale(for epoch: UInt32, after seek: UInt32) -> Bool {
    let first = consumedCount
    guard first < written else { return false }
    let period = ring.pointee.periods[PeriodRing.slot(first)]
    return period.epoch != epoch || period.seek != seek
  }

  /// Buffer for the next period's samples: `Period.frameCapacity` frames of two samples. Use only if `freeCount` is not
  /// 0.
  public var room: UnsafeMutablePointer<Int32> { samples(at: written + (open == nil ? 0 : 1)) }

  private func samples(at number: Int) -> UnsafeMutablePointer<Int32> {
    ring.pointee.samples + PeriodRing.slot(number) * Period.sampleCapacity()
  }

  /// Appends the period in `room` to the unpublished period. If they cannot be merged, publishes the earlier period
  /// first.
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

  /// Publishes the last added period, if it is still unpublished.
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
  /// Maximum gap or overlap between two periods that may be merged, because converted times are rounded.
  private static var rounding: StreamTime { StreamTime(seconds: 0.001) }

  fileprivate func isContinued(by next: Period) -> Bool {
    guard frameCount + next.frameCount <= Self.maxPart, !flags.contains(.end), next.flags.isEmpty else {
      return false
    }
    let distance = next.start - (start + duration)
    return distance < Self.rounding && distance > .zero - Self.rounding
      && (epoch, seek, rate, sourceChannels) == (next.epoch, next.seek, next.rate, next.sourceChannels)
  }
}
