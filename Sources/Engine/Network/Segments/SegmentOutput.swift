import Blocks
import Framing
import Listings
import Units

/// Puts the packets of an HLS station's segments into the ring: as one stream, from the place on that is sought, with
/// what is missing told, and what comes again joined by its packets. The net thread's.
final class SegmentOutput {
  private let output: ProgrammeOutput
  private let report: ProgrammeReport
  private var intake = SegmentIntake()
  private var timeline: SegmentTimeline
  private var splice = Splice.start
  /// What it was when the segment was begun of which no bytes are there; nil where some are.
  private var unbegun: Splice?
  /// The place that is sought; nil when packets behind it have come.
  private var goal: SegmentGoal?
  /// What was missing since the last packet.
  private var lost = StreamTime.zero
  /// What was delivered before the connection began.
  private var proven = StreamTime.zero
  /// The segment that was begun last, and the one that broke off, of which some is held.
  private var (begun, broken): (UInt64?, UInt64?)
  /// Whether bytes of the segment that comes next are there.
  private(set) var isMidway = false
  /// Whether a new connection goes on where the last one ended, which is told with its first packet.
  private var goesOn = false
  /// When the segment begins to sound; nil where its packets' place is sought.
  private var segmentTime: StreamTime?
  /// When bytes came last, and the first of those that brought what `proven` does not count.
  private var arrival = MonotonicTime.zero
  private var firstArrival: MonotonicTime?
  /// Where the programme ended when the segment was begun that comes.
  private var segmentStart = StreamTime.zero
  /// Segments in a row that brought no packet; -1 when the one that comes has brought one.
  private(set) var silentCount = 0
  /// Is called behind each packet.
  var onPacket: () -> Void = {}

  /// How the next packets lie to those that are held.
  private enum Splice {
    /// They are the first ones.
    case start
    /// They follow on them.
    case follows
    /// They may have come before: their place is sought.
    case joins
    /// Something between is missing.
    case gap
    /// They follow on them, and are another programme's.
    case turns
  }

  /// A title's time is within so many seconds of its segment's begin, or it is no time of this stream.
  private static let mostDelay = 3_600.0
  /// So many segments without a packet are no sound.
  private static let mostSilent = 5
  /// A list says the length of its segments by whole packets or hardly better.
  private static let rounding = StreamTime(seconds: 0.25)

  /// The packets of a station whose first list is `list`.
  init(_ list: SegmentList, _ output: ProgrammeOutput, _ report: ProgrammeReport) {
    (self.output, self.report) = (output, report)
    timeline = SegmentTimeline(list)
  }

  // MARK: What came

  /// How long all that came sounds.
  var delivered: StreamTime { intake.delivered }

  /// Whether enough came by this connection to call it well.
  var isProven: Bool { intake.delivered - proven > ReconnectPolicy.proof }

  /// How far what came runs ahead of real time.
  func lead(at now: MonotonicTime) -> StreamTime {
    guard let firstArrival else { return .zero }
    return intake.delivered - proven - StreamTime(seconds: (now - firstArrival).seconds)
  }

  /// Whether nothing came yet of the place that is begun at.
  var isAtStart: Bool { if case .start = splice { true } else { false } }

  /// Whether what came of the segment is new.
  var hasMore: Bool { isMidway && output.time > segmentStart }

  /// What the segment is that comes.
  var container: StreamContainer? { intake.form }

  /// Why what comes cannot be played; nil while nothing speaks against it.
  var refusal: RefusedCodec? { intake.refusal }

  /// Whether so many bytes came without a packet in them that there is no sound.
  var isBarren: Bool { intake.isBarren }

  /// Whether so many segments came without a packet.
  var isSilent: Bool { silentCount >= Self.mostSilent }

  /// What a list has, its part at the end that is live beginning with the segment `live`.
  func window(of list: SegmentList, live: UInt64) -> ProgrammeWindow? { timeline.window(of: list, live: live) }

  // MARK: Connections and places

  /// A new connection begins, behind one that had brought sound or none.
  func renew(goesOn: Bool) {
    intake.renew()
    (proven, silentCount, self.goesOn, firstArrival) = (intake.delivered, 0, goesOn, nil)
  }

  /// No more comes of a segment: its last packet is there, and belongs to what came before it.
  func breakOff() { if isMidway { intake.end(self) } }

  /// No more is asked for of a segment: what it sounds beyond what came of it is missing.
  func leave(_ segment: MediaSegment, in list: SegmentList) {
    breakOff()
    output.settle()
    if isMidway, let begin = timeline.time(of: segment.sequence, in: list) {
      let lost = segment.duration - max(.zero, output.time - begin)
      lost > Self.rounding ? skip(lost) : intake.end(self, isWhole: true)
    } else {
      takeBack()
      skip(segment.duration)
    }
    (isMidway, broken) = (false, nil)
  }

  /// What comes is broken off.
  func interrupt() {
    if case .follows = splice, isMidway { (splice, broken) = (.joins, begun) }
    takeBack()
    isMidway = false
  }

  /// The next segment lies as that one should have of which nothing came.
  private func takeBack() {
    if case .follows = splice, let unbegun { splice = unbegun }
    unbegun = nil
  }

  /// Nothing is held any more: what comes is begun at another place. The segment to begin with; nil where none is
  /// known.
  func seek(to place: StreamTime, in list: SegmentList) -> UInt64? {
    intake = SegmentIntake()
    (proven, silentCount, lost, splice, goesOn, firstArrival) = (.zero, 0, .zero, .start, false, nil)
    goal = SegmentGoal(place: place)
    return timeline.place(at: place - FileTimeline.runUp, in: list)?.sequence
  }

  /// Another list comes in the place of `older`, which counts anew or does not.
  func follow(from older: SegmentList, to newer: SegmentList, isRestarted: Bool) {
    guard isRestarted else { return timeline.follow(from: older, to: newer) }
    timeline.forget()
    broken = nil
    if case .follows = splice { splice = .joins }
  }

  /// So much of the programme is missing.
  func skip(_ lost: StreamTime) {
    if case .start = splice { return }
    splice = .gap
    self.lost += lost
  }

  // MARK: Segments

  /// What segments have in common comes next.
  func beginMap() { intake.begin() }

  /// A segment's bytes come next.
  func begin(_ segment: MediaSegment, in list: SegmentList) {
    if segment.isDiscontinuous, case .follows = splice { splice = .turns }
    tellLost()
    switch splice {
    case .follows: segmentTime = output.time
    case .turns:
      intake.end(self, turns: true)
      segmentTime = output.time
    case .start:
      goesOn = false
      intake.end(self)
      // Where a place is in a list that counts anew, nobody knows: what comes takes its time.
      let time = timeline.time(of: segment.sequence, in: list) ?? goal?.place ?? .zero
      goal = SegmentGoal(place: max(goal?.place ?? time, time), clock: time)
      segmentTime = time
    case .gap:
      goesOn = false
      intake.end(self)
      segmentTime = output.time
    case .joins:
      goesOn = false
      intake.end(self)
      // What comes again was sent before: the clock says nothing of where it belongs.
      output.throttle()
      output.join(comeAgain: broken == segment.sequence)
      segmentTime = nil
    }
    // What is begun anew counts from the time that the list gives it.
    if let segmentTime, splice != .start { timeline.note(segment.sequence, at: segmentTime) }
    (begun, segmentStart) = (segment.sequence, output.time)
    (unbegun, splice) = (splice, .follows)
    intake.begin()
    if let title = segment.shownTitle {
      take(StationTitle(text: (segment.shownArtist.map { $0 + " - " } ?? "") + title, url: nil), later: 0)
    }
  }

  /// Tells what is missing before the segment that comes.
  private func tellLost() {
    guard lost > .zero || isGap && goesOn else { return }
    report.tell(.stitched(Stitch(overlap: .zero, lost: lost, isExact: false, isEstimated: true)))
    lost = .zero
  }

  private var isGap: Bool { if case .gap = splice { true } else { false } }

  /// Takes bytes of a segment, or of what several have in common.
  func take(_ bytes: Span<UInt8>, isSegment: Bool, at now: MonotonicTime) {
    (isMidway, arrival) = (isSegment, now)
    if isSegment { unbegun = nil }
    firstArrival = firstArrival ?? now
    intake.take(bytes, self)
  }

  /// What was asked for is over; whether it was a segment.
  func end(isSegment: Bool) {
    isMidway = false
    if isSegment { silentCount += 1 }
  }

  /// What came of a segment is no sound: nothing follows on that.
  func discard() {
    if isMidway { splice = delivered > .zero ? .gap : .start }
    takeBack()
    isMidway = false
  }

  /// The server refused a segment for good.
  func refuse() { silentCount += 1 }

  /// The last segment is there.
  func finish() { intake.end(self, isWhole: true) }
}

extension SegmentOutput: SegmentPacketTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    report.hear()
    silentCount = -1
    var info = info
    switch goal?.take(&info) {
    case .passed?: return
    case .first(let time)?: output.start(at: time)
    case .heard?, nil: break
    }
    output.take(info, bytes, at: arrival)
    if goal?.isReached == true { goal = nil }
    onPacket()
    guard goesOn else { return }
    goesOn = false
    report.tell(.stitched(Stitch(overlap: .zero, lost: .zero, isExact: true, isEstimated: false)))
  }

  func take(_ title: StationTitle, later delay: Double?) {
    guard let delay, let segmentTime else { return output.take(title) }
    output.take(title, at: segmentTime + StreamTime(seconds: 0..<Self.mostDelay ~= delay ? delay : 0))
  }
}
