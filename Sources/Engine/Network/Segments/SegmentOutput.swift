import Blocks
import Framing
import Listings
import Units

/// Writes the packets of an HLS station's segments to the ring, as one stream. Net thread only.
final class SegmentOutput {
  private let output: ProgrammeOutput
  private let report: ProgrammeReport
  private let search: StationSearch
  private var intake = SegmentIntake()
  private var timeline: SegmentTimeline
  private var splice = Splice.start
  /// Value of `splice` before the station's first packet.
  private var opening = Splice.start
  /// Value of `splice` before the current segment; nil once bytes of this segment have arrived.
  private var spliceBeforeSegment: Splice?
  /// Nil once packets after the start position have arrived.
  private var goal: SegmentGoal?
  private var lost = StreamTime.zero
  /// Value of `delivered` at the start of the connection.
  private var deliveredBefore = StreamTime.zero
  /// Sequence numbers: of the current segment, and of an interrupted segment with buffered packets.
  private var (begun, broken): (UInt64?, UInt64?)
  /// True if bytes of the current segment have arrived.
  private(set) var hasBytes = false
  /// True if the first packet of a new connection must report a seamless stitch.
  private var reportsSeamless = false
  /// True if the next segment is of another variant.
  private var isOtherVariant = false
  /// Time of the current segment's first packet; nil while its stitch is sought.
  private var segmentTime: StreamTime?
  /// Arrival of the last bytes, and of the first bytes of the connection.
  private var arrival = MonotonicTime.zero
  private var firstArrival: MonotonicTime?
  private var segmentStart = StreamTime.zero
  /// Number of consecutive segments without a packet; -1 if the current segment has brought a packet.
  private(set) var silentCount = 0
  var onPacket: () -> Void = {}

  /// Relation of the next packets to the buffered packets.
  private enum Splice {
    case start
    case follows
    /// May repeat buffered packets: the stitch is sought.
    case joins
    /// May repeat the audio of another address.
    case continues
    case gap
    /// Contiguous, but after a discontinuity (EXT-X-DISCONTINUITY).
    case discontinuity
  }

  /// Maximum seconds from the start of a segment to a title. A title outside this range starts with the segment.
  private static let maxTitleDelay = 3_600.0
  private static let maxSilentSegments = 5
  /// Tolerance for the rounded durations in a list.
  private static let rounding = StreamTime(seconds: 0.25)

  init(_ list: SegmentList, _ context: ProgrammeContext) {
    (output, report, search) = (context.output, context.report, context.search)
    timeline = SegmentTimeline(list)
  }

  // MARK: Received audio

  var delivered: StreamTime { intake.delivered }

  var isProven: Bool { intake.delivered - deliveredBefore > ReconnectPolicy.proof }

  /// Returns the audio delivered by the connection in excess of real time.
  func lead(at now: MonotonicTime) -> StreamTime {
    guard let firstArrival else { return .zero }
    return intake.delivered - deliveredBefore - StreamTime(seconds: (now - firstArrival).seconds)
  }

  var isAtStart: Bool { if case .start = splice { true } else { false } }

  var hasNewAudio: Bool { hasBytes && output.time > segmentStart }

  var container: StreamContainer? { intake.form }

  var refusal: RefusedCodec? { intake.refusal }

  var isBarren: Bool { intake.isBarren }

  var isSilent: Bool { silentCount >= Self.maxSilentSegments }

  func window(of list: SegmentList, live: UInt64) -> ProgrammeWindow? { timeline.window(of: list, live: live) }

  // MARK: Connections and positions

  /// Starts a new connection. `goesOn`: true if the station was announced before.
  func beginConnection(goesOn: Bool) {
    intake.resetByteCount()
    deliveredBefore = intake.delivered
    silentCount = 0
    self.reportsSeamless = goesOn
    firstArrival = nil
  }

  /// Joins the first segment to the audio of an address without a list.
  func continueProgramme() {
    (splice, opening) = (.continues, .continues)
    timeline.forget()
    output.endOpening()
  }

  /// Emits the last packet of a segment that is not continued.
  func flushPacket() { if hasBytes { intake.finishRun(self) } }

  func abandon(_ segment: MediaSegment, in list: SegmentList) {
    flushPacket()
    output.settle()
    if hasBytes, let begin = timeline.time(of: segment.sequence, in: list) {
      let lost = segment.duration - max(.zero, output.time - begin)
      lost > Self.rounding ? skip(lost) : intake.finishRun(self, isWhole: true)
    } else {
      restoreSplice()
      skip(segment.duration)
    }
    (hasBytes, broken) = (false, nil)
  }

  /// Interrupts the current segment. If some of its bytes have arrived, the next packets may repeat buffered packets.
  func interrupt() {
    if case .follows = splice, hasBytes { (splice, broken) = (.joins, begun) }
    restoreSplice()
    hasBytes = false
  }

  private func restoreSplice() {
    if case .follows = splice, let spliceBeforeSegment { splice = spliceBeforeSegment }
    spliceBeforeSegment = nil
  }

  /// Restarts at another position, with an empty ring. Returns the number of the segment to start with; nil if unknown.
  func seek(to place: StreamTime, in list: SegmentList) -> UInt64? {
    intake = SegmentIntake()
    deliveredBefore = .zero
    silentCount = 0
    lost = .zero
    (splice, opening) = (.start, .start)
    reportsSeamless = false
    firstArrival = nil
    goal = SegmentGoal(place: place)
    return timeline.segmentStart(at: place - FileTimeline.runUp, in: list)?.sequence
  }

  func follow(from older: SegmentList, to newer: SegmentList, isRestarted: Bool) {
    guard isRestarted else { return timeline.follow(from: older, to: newer) }
    timeline.forget()
    broken = nil
    if case .follows = splice { splice = .joins }
  }

  func skip(_ lost: StreamTime) {
    if splice == opening { return }
    splice = .gap
    self.lost += lost
  }

  // MARK: Segments

  func changeVariant() { isOtherVariant = true }

  func beginMap() { intake.begin() }

  func begin(_ segment: MediaSegment, in list: SegmentList) {
    if segment.isDiscontinuous || isOtherVariant, case .follows = splice { splice = .discontinuity }
    isOtherVariant = false
    reportLoss()
    switch splice {
    case .follows: segmentTime = output.time
    case .discontinuity:
      intake.finishRun(self, turns: true)
      segmentTime = output.time
    case .start:
      reportsSeamless = false
      intake.finishRun(self)
      // After restarted numbers the segment's time is unknown: the requested position is used.
      let time = timeline.time(of: segment.sequence, in: list) ?? goal?.place ?? .zero
      goal = SegmentGoal(place: max(goal?.place ?? time, time), clock: time)
      segmentTime = time
    case .gap:
      reportsSeamless = false
      intake.finishRun(self)
      segmentTime = output.time
    case .joins, .continues:
      reportsSeamless = false
      intake.finishRun(self)
      // Arrival times do not show the position of a list's repeated audio.
      if case .joins = splice { output.throttle() }
      output.join(comeAgain: broken == segment.sequence, byAudio: search.hasAlternatives)
      segmentTime = nil
    }
    // After a start, the time comes from the timeline itself.
    if let segmentTime, splice != .start { timeline.record(segment.sequence, at: segmentTime) }
    (begun, segmentStart) = (segment.sequence, output.time)
    (spliceBeforeSegment, splice) = (splice, .follows)
    intake.begin()
    if let ad = segment.ad { accept(StationTitle(ad), later: 0) }
    if let title = segment.shownTitle {
      accept(StationTitle(artist: segment.shownArtist, track: title), later: 0)
    }
  }

  private func reportLoss() {
    guard lost > .zero || isGap && reportsSeamless else { return }
    report.send(.stitched(Stitch(overlap: .zero, lost: lost, isExact: false, isEstimated: true)))
    lost = .zero
  }

  private var isGap: Bool { if case .gap = splice { true } else { false } }

  /// `isSegment`: false for a common header (EXT-X-MAP).
  func process(_ bytes: Span<UInt8>, isSegment: Bool, at now: MonotonicTime) {
    (hasBytes, arrival) = (isSegment, now)
    if isSegment { spliceBeforeSegment = nil }
    firstArrival = firstArrival ?? now
    intake.process(bytes, self)
  }

  func end(isSegment: Bool) {
    hasBytes = false
    if isSegment { silentCount += 1 }
  }

  func discard() {
    if hasBytes { splice = delivered > .zero ? .gap : opening }
    restoreSplice()
    hasBytes = false
  }

  func countRefusal() { silentCount += 1 }

  func finish() { intake.finishRun(self, isWhole: true) }
}

// MARK: - Packets and titles

extension SegmentOutput {
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    report.recordPacket()
    silentCount = -1
    var info = info
    switch goal?.process(&info) {
    case .passed?: return
    case .first(let time)?: output.start(at: time)
    case .later?, nil: break
    }
    output.accept(info, bytes, nil, at: arrival)
    if goal?.isReached == true { goal = nil }
    onPacket()
    guard reportsSeamless else { return }
    reportsSeamless = false
    report.send(.stitched(Stitch(overlap: .zero, lost: .zero, isExact: true, isEstimated: false)))
  }

  /// `delay`: seconds from the segment's first audio to the title; nil for a title that starts with the next packet.
  func accept(_ title: StationTitle, later delay: Double?) {
    guard let delay, let segmentTime else { return output.accept(title) }
    output.accept(title, at: segmentTime + StreamTime(seconds: 0..<Self.maxTitleDelay ~= delay ? delay : 0))
  }
}
