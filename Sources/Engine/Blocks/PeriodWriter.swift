import Units

/// The end that fills the ring of periods; one thread owns it.
///
/// A short packet would take a whole period's room, and the ring would last 80 ms of Opus in packets of 2.5 ms. So
/// `append` lets what goes on where the period before it ends share that one's room.
public struct PeriodWriter: ~Copyable {
  private let ring: UnsafePointer<PeriodRing>
  /// A period in the ring's next slot that the reader does not see yet: more may come to it.
  private var open: Period?

  /// The one writer of a ring.
  public init(_ ring: UnsafePointer<PeriodRing>) { self.ring = ring }

  private var written: Int { ring.pointee.written.load(ordering: .relaxed) }

  /// Periods that may be written before the ring is full.
  public var freeCount: Int { PeriodRing.capacity - queuedCount - (open == nil ? 0 : 1) }

  /// Periods that were taken out so far.
  public var takenCount: Int { ring.pointee.read.load(ordering: .acquiring) }

  /// Periods that the reader sees and has not played.
  public var queuedCount: Int { written - takenCount }

  /// Frames in those that were decoded of a programme after a seek: the others will not be heard.
  public func queuedFrames(of epoch: UInt32, after seek: UInt32) -> FrameCount {
    var count = 0
    for number in takenCount..<written {
      let period = ring.pointee.periods[PeriodRing.slot(number)]
      if period.epoch == epoch, period.seek == seek { count += Int(period.frameCount) }
    }
    return FrameCount(count)
  }

  /// Whether what waits to be played was not decoded of that programme after that seek: it is dropped in a moment.
  public func beginsStale(for epoch: UInt32, after seek: UInt32) -> Bool {
    let first = takenCount
    guard first < written else { return false }
    let period = ring.pointee.periods[PeriodRing.slot(first)]
    return period.epoch != epoch || period.seek != seek
  }

  /// Where the next period's samples go, `Period.frameCapacity` frames of two; only while `freeCount` is not 0.
  public var room: UnsafeMutablePointer<Int32> { samples(at: written + (open == nil ? 0 : 1)) }

  private func samples(at number: Int) -> UnsafeMutablePointer<Int32> {
    ring.pointee.samples + PeriodRing.slot(number) * Period.sampleCapacity()
  }

  /// Takes the period in `room`: the reader sees it after `publish`, or as soon as one comes that does not go on there.
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

  /// Makes all that was taken visible to the reader.
  public mutating func publish() {
    guard let whole = open else { return }
    let number = written
    ring.pointee.periods[PeriodRing.slot(number)] = whole
    ring.pointee.written.store(number + 1, ordering: .releasing)
    open = nil
  }

  /// Takes the period in `room` and makes it visible to the reader.
  public mutating func commit(_ period: Period) {
    append(period)
    publish()
  }
}

extension Period {
  /// Less than this between two periods is no more than what rounding makes of a converted rate.
  private static var rounding: StreamTime { StreamTime(seconds: 0.001) }

  /// Whether another may share its room: it is heard next, without a gap or an end between.
  fileprivate func isContinued(by next: Period) -> Bool {
    guard frameCount + next.frameCount <= Self.longestPart, !flags.contains(.end), next.flags.isEmpty else {
      return false
    }
    let distance = next.start - (start + duration)
    return distance < Self.rounding && distance > .zero - Self.rounding
      && (epoch, seek, rate, sourceChannels) == (next.epoch, next.seek, next.rate, next.sourceChannels)
  }
}
