import Blocks
import Framing
import Units

/// Result of joining a new connection to the buffered packets (R4.2).
public struct Stitch: Equatable, Sendable {
  /// Duration of the dropped, repeated packets.
  public var overlap: StreamTime
  /// Duration of the missing audio; zero if seamless.
  public var lost: StreamTime
  /// True if the stitch was proven packet by packet.
  public var isExact: Bool
  /// True if `overlap` or `lost` is an estimate from arrival times.
  public var isEstimated: Bool
  /// True if the decode thread joins the audio of another encoder, and reports the result.
  public var isPending = false

  /// Creates a result.
  public init(overlap: StreamTime, lost: StreamTime, isExact: Bool, isEstimated: Bool, isPending: Bool = false) {
    (self.overlap, self.lost) = (overlap, lost)
    (self.isExact, self.isEstimated, self.isPending) = (isExact, isEstimated, isPending)
  }
}

struct ReleasedTitle {
  var title: StationTitle
  var at: StreamTime
  /// True if the title was in the overlap, so that it may have been reported before.
  var isRepeated: Bool
}

/// Writes a programme's packets to the ring and joins each new connection to the buffered packets. Net thread only.
/// Packets of a new connection are staged, invisible to the reader, until the stitch is found or the time is over. Then
/// the overlap is dropped and the rest is published. A wrong guess costs one repetition, but never silence.
struct StreamSplicer: ~Copyable {
  var writer: BlockWriter
  private var stitcher = Stitcher()
  private var clock = JoinClock()
  /// Titles with the number and duration of the staged packets before them.
  private var titles: [(title: StationTitle, packet: Int, length: StreamTime)] = []
  private var released: [ReleasedTitle] = []

  /// Time to decide the stitch or check again; nil if no packet is staged.
  private(set) var deadline: MonotonicTime?
  /// Latest value of `deadline` if no stitch is found.
  private var latest = MonotonicTime.zero
  private var isJoining = false
  /// True if the new connection certainly starts inside the buffered audio. Repeated packets are then dropped at once;
  /// `passed` is their number and duration.
  private var startsBuffered = false
  private var passed = (count: 0, length: StreamTime.zero)
  /// True if a stitch was found, and more packets may still disprove it.
  private var isConfirming = false
  private var hasPublished = false
  /// Ends of the last buffered and of the last staged packet; nil if unknown.
  private var position: LinkPosition?
  private var stagedPosition: LinkPosition?
  /// True if the numbers of all staged packets show a repetition.
  private var isNumbered = false
  /// True if all staged packets were dropped without a proof. The next packet then follows a gap.
  private var nextFollowsGap = false
  /// True if packets that fit nowhere may be of another encoder, so that the decode thread joins their audio.
  private var joinsByAudio = false
  /// True if the packets of another encoder are published, and the clock still estimates their overlap.
  private var isEstimating = false
  /// Format of the last buffered packet.
  private var lastFormat: PacketFormat?
  private var preroll = PrerollDetector()
  /// Decision about the last staged packet: `drop` within a pre-roll, whose packets are not stored.
  private var step = PrerollDetector.Step.programme
  /// Bytes of the packets that wait for the end of a pre-roll.
  private var waitingByteCount = 0
  /// Number of restarts of the search on this connection: a server may repeat its marks.
  private var passCount = 0

  init(_ writer: consuming BlockWriter) { self.writer = writer }

  mutating func begin(epoch: UInt32) {
    writer.begin(epoch: epoch)
    stitcher.removeAll()
    clock.reset()
    preroll.reset()
    endJoining()
    (isEstimating, joinsByAudio) = (false, false)
    (nextFollowsGap, position, lastFormat) = (false, nil, nil)
  }

  /// Starts a new connection, after `settle` for the previous one. `comesAgain`: value of `startsBuffered`.
  mutating func join(comesAgain: Bool = false, byAudio: Bool = false) {
    isJoining = !stitcher.isEmpty
    joinsByAudio = byAudio && isJoining
    self.startsBuffered = comesAgain
    hasPublished = false
    stitcher.beginComparison(startsAnywhere: preroll.isKnown && !comesAgain)
  }

  /// Starts the comparison with the start of earlier connections.
  mutating func beginOpening() {
    preroll.begin()
    passCount = 0
    clock.beginConnection()
  }

  /// Ends the comparison with the start of earlier connections.
  mutating func endOpening() { preroll.end() }

  /// Processes a packet at the start of a connection that is dropped because it was received before.
  mutating func pass(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if preroll.isOpen { _ = preroll.offer(PacketPrint(of: bytes), lasting: info.duration) }
    clock.addPreroll(info.duration)
  }

  /// True if the station has sent a pre-roll (B4).
  var sendsPreroll: Bool { preroll.isKnown }

  /// Exchanges the rings with the splicer of a standby ring, after `settle` for both (`BlockWriter.exchange`).
  mutating func exchange(with standby: inout StreamSplicer, epoch: UInt32) {
    BlockWriter.exchange(&writer, &standby.writer, epoch: epoch)
  }

  mutating func endConnection(lag: Double) { if hasPublished { clock.endConnection(lag: lag) } }

  mutating func recordThrottle() { clock.wasThrottled = true }

  mutating func recordPause() { clock.recordPause() }

  mutating func finish() { writer.finish() }

  /// Processes a packet. Returns the stitch if this packet decided it.
  mutating func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> Stitch? {
    let packet = PacketPrint(of: bytes)
    let next = preroll.isOpen ? preroll.offer(packet, lasting: info.duration) : .programme
    guard isJoining else {
      append(info, bytes, packet, at: now)
      return nil
    }
    follow(next)
    if clock.count == 0 {
      clock.begin(ahead: writer.ahead, at: now)
      latest = now + patience
    }
    deadline = deadline ?? latest
    guard writer.stage(info, bytes) else {
      let stitch = settle()
      append(info, bytes, packet, at: now)
      return stitch
    }
    let place = stitcher.offer(packet.examined(bytes))
    clock.add(info.duration, at: now)
    stagedPosition = LinkPosition(after: info)
    if joinsByAudio, step == .programme, passed.count == 0, let lastFormat, lastFormat.differs(from: info.format) {
      return publishForDecoder()
    }
    if let stitch = settle(byNumberOf: info) { return stitch }
    if step == .drop ? !stitcher.isFound : startsBuffered && stitcher.isInside {
      writer.unstage()
      passed = (clock.count, clock.length)
    }
    waitingByteCount += step == .wait ? info.byteCount : 0
    if stitcher.isFull || waitingByteCount > Self.maxWaitingByteCount { return settle() }
    if stitcher.fitsNowhere, writer.ahead < Self.minBuffered { deadline = min(latest, now + Self.lull) }
    return place.flatMap { confirm($0, at: now) }
  }

  /// Settles by the number of a staged packet. The packets of a repetition must be equal too, since a restarted station
  /// may count again.
  private mutating func settle(byNumberOf info: PacketInfo) -> Stitch? {
    guard !startsBuffered, let position, isNumbered || clock.count == 1 else { return nil }
    isNumbered = false
    switch position.relation(to: info) {
    case .next where clock.count == 1: return publish(0, isProven: true)
    case .missing(let time) where clock.count == 1 && clock.allows(time): return publish(missing: time)
    case .repeated(reachesEnd: true) where stitcher.isComplete(clock.count):
      return publish(clock.count, isProven: true)
    case .repeated(reachesEnd: false): isNumbered = true
    default: break
    }
    return nil
  }

  /// Settles the only match at once with little buffered audio, otherwise waits for packets that may disprove it.
  private mutating func confirm(_ count: Int, at now: MonotonicTime) -> Stitch? {
    assert(count <= clock.count, "the overlap is of packets that wait")
    // If the packets are certainly buffered, the only match needs no further proof.
    if startsBuffered { return publish(count, isProven: true) }
    guard !isConfirming, !isDoubtful(count) else { return nil }
    isConfirming = true
    guard case .overlap(_, isProven: true) = stitcher.verdict(expecting: count) else { return nil }
    let due = now + Duration(seconds: max(0, min(writer.ahead.seconds - 0.5, 0.25)))
    deadline = min(deadline ?? due, due)
    return due == now ? settle() : nil
  }

  private func isDoubtful(_ count: Int) -> Bool {
    clock.isDoubtful(count, after: stitcher.leadingCount(of: count))
  }

  private mutating func append(
    _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ packet: PacketPrint, at now: MonotonicTime
  ) {
    if isEstimating { clock.add(info.duration, at: now) } else { clock.recordBufferedPacket(at: now) }
    hasPublished = true
    stitcher.recordBuffered(packet)
    var info = info
    if nextFollowsGap { info.followsGap = true }
    nextFollowsGap = false
    position = LinkPosition(after: info)
    lastFormat = info.format
    guard !writer.append(info, bytes) else { return }
    stitcher.removeAll()
    position = nil
  }

  /// Appends the packets of a second connection after the last buffered packet, if their place is proven.
  mutating func proceed(with window: SecondWindow, at now: MonotonicTime) -> SecondJoin {
    guard !isJoining else { return .unknown }
    stitcher.beginComparison(startsAnywhere: preroll.isKnown)
    var count = 0
    window.forEachPacket { _, bytes in
      _ = stitcher.offer(PacketPrint(of: bytes).examined(bytes))
      count += 1
    }
    defer { stitcher.beginComparison() }
    switch stitcher.verdict(expecting: 0) {
    case .overlap(let repeated, isProven: true) where repeated < count:
      return append(window, after: repeated, leading: stitcher.leadingCount(of: repeated), at: now)
    case .overlap(let repeated, isProven: true) where stitcher.leadingCount(of: repeated) == 0: return .behind
    case .inside(isProven: true) where !preroll.isKnown: return .behind
    case .overlap, .inside, .none: return .unknown
    }
  }

  /// Appends the packets after the first `repeated`. The first `leading` packets precede the programme.
  private mutating func append(
    _ window: SecondWindow, after repeated: Int, leading: Int, at now: MonotonicTime
  ) -> SecondJoin {
    var (number, preroll, overlap) = (0, StreamTime.zero, StreamTime.zero)
    window.forEachPacket { info, bytes in
      if number < leading {
        preroll += info.duration
      } else if number < repeated {
        overlap += info.duration
      } else {
        append(info, bytes, PacketPrint(of: bytes), at: now)
      }
      number += 1
    }
    clock.reset()
    return .joined(overlap: overlap, after: preroll)
  }

  /// Processes a title. Returns its stream time; nil if the title waits for the stitch of its packets.
  mutating func accept(_ title: StationTitle) -> StreamTime? {
    preroll.accept(title, isJoining: isJoining)
    guard isJoining else { return writer.time }
    if titles.count == Self.maxTitles { titles.removeFirst() }
    titles.append((title, clock.count, clock.length))
    return nil
  }

  private static let maxTitles = 64

  mutating func removeReleasedTitles() -> [ReleasedTitle] {
    defer { released = [] }
    return released
  }

  /// Time for the search. A burst gets time even without buffered audio: playback starts only with 1 s of audio.
  private var patience: Duration {
    Duration(seconds: max(0.25, min(writer.ahead.seconds - 0.5, 2)))
  }

  /// With less buffered audio, the search ends with the burst if no stitch fits. The end of the burst shows the loss.
  private static let minBuffered = StreamTime(seconds: 0.5)
  /// Pause that ends a burst.
  private static let lull = Duration(milliseconds: 40)
  private static let checkInterval = Duration(milliseconds: 250)

  /// Settles on timeout, unless the staged packets are all buffered and will pass the buffered end in time.
  mutating func settleInTime(at now: MonotonicTime) -> Stitch? {
    guard let deadline, now >= deadline else { return nil }
    if isEstimating {
      endEstimate()
      return nil
    }
    if isJoining, step != .programme, !isConfirming, writer.ahead > Self.reserve {
      self.deadline = now + max(Self.lull, Duration(seconds: (writer.ahead - Self.reserve).seconds))
      return nil
    }
    guard isJoining, canWait(at: now) else { return settle() }
    self.deadline = now + Self.checkInterval
    return nil
  }

  private func canWait(at now: MonotonicTime) -> Bool {
    if startsBuffered { return stitcher.isInside }
    return stitcher.verdict(expecting: 0) == .inside(isProven: true)
      && clock.passesEnd(after: stitcher.remainingCount, ahead: writer.ahead, at: now)
  }

  /// Publishes the staged packets at the most likely stitch. If the connection is over, packets inside the buffered
  /// audio are left to the next connection, unless they may be new and no audio is left to play.
  mutating func settle(isOver: Bool = false) -> Stitch? {
    endEstimate()
    guard isJoining, clock.count > 0 else {
      endJoining()
      return nil
    }
    if step == .drop, !stitcher.isFound { return leavePreroll(isOver: isOver) }
    let expected = clock.expectedCount
    switch stitcher.verdict(expecting: expected) {
    case .overlap(let count, isProven: true) where !isDoubtful(count): return publish(count, isProven: true)
    case .overlap(let count, _): return publish(unproven: count)
    case .inside where isOver && (startsBuffered || writer.ahead > .zero),
      .none where isOver && step == .wait && preroll.isRepeating && writer.ahead > .zero:
      writer.unstage()
      endJoining()
      return nil
    case .inside(isProven: true): return publishRepetition()
    case .inside, .none: return publish(unproven: clock.wasThrottled ? 0 : min(clock.count, expected))
    }
  }

  /// Publishes repeated packets that would not pass the buffered end in time: the station has restarted. Older packets
  /// are no longer compared, since the station continues only from the new packets.
  private mutating func publishRepetition() -> Stitch {
    let count = clock.count
    let stitch = publish(0, isProven: false)
    stitcher.removeAll(allBut: count)
    return stitch
  }

  /// Drops an unproven overlap only while other audio plays, and only as far as the burst reaches back.
  private mutating func publish(unproven count: Int) -> Stitch {
    if joinsByAudio, passed.count == 0 { return publishForDecoder() }
    let mayDrop = writer.ahead > .zero && clock.reachesBack(over: count)
    return publish(mayDrop ? count : 0, isProven: false, estimate: clock.missing)
  }

  private mutating func publish(_ found: Int, isProven: Bool, estimate: Double = 0) -> Stitch {
    let leading = isProven ? StreamTime(seconds: clock.seconds(stitcher.leadingCount(of: found))) : .zero
    let overlap = publish(dropping: found, isProven: isProven)
    return Stitch(
      overlap: max(.zero, overlap - leading), lost: isProven ? .zero : StreamTime(seconds: estimate), isExact: isProven,
      isEstimated: !isProven)
  }

  /// Publishes all staged packets after a known loss.
  private mutating func publish(missing: StreamTime) -> Stitch {
    let overlap = publish(dropping: 0, isProven: false)
    return Stitch(overlap: overlap, lost: missing, isExact: false, isEstimated: false)
  }

  private mutating func publish(dropping found: Int, isProven: Bool) -> StreamTime {
    assert(found <= clock.count, "no more is dropped than waits")
    let dropped = max(found, passed.count)
    let start = writer.time
    let overlap =
      passed.length + writer.publishStaged(dropping: dropped - passed.count, followsGap: !isProven)
    nextFollowsGap = !isProven && dropped == clock.count
    stitcher.recordFreshAsBuffered(dropping: dropped)
    hasPublished = true
    release(dropped, sounding: overlap, from: start)
    clock.publish()
    position = stagedPosition
    endJoining()
    return overlap
  }

  /// Publishes all staged packets of another encoder. The clock continues to estimate the overlap until the latest
  /// time for a decision.
  private mutating func publishForDecoder() -> Stitch {
    assert(passed.count == 0, "packets that are certainly buffered are of the same encoder")
    let start = writer.time
    writer.publishJoin()
    stitcher.recordFreshAsBuffered(dropping: 0)
    hasPublished = true
    release(0, sounding: .zero, from: start)
    (position, lastFormat) = (stagedPosition, nil)
    endSearch()
    (isEstimating, deadline) = (true, latest)
    return Stitch(overlap: .zero, lost: .zero, isExact: false, isEstimated: false, isPending: true)
  }

  /// Reports the clock's estimate of the overlap with another encoder.
  private mutating func endEstimate() {
    guard isEstimating else { return }
    isEstimating = false
    writer.estimateJoin(overlap: clock.overlap, lost: StreamTime(seconds: clock.missing))
    clock.publish()
    endJoining()
  }

  /// Releases the titles after the overlap, and its last title, at their packets' time. Others were reported before.
  private mutating func release(_ dropped: Int, sounding overlap: StreamTime, from start: StreamTime) {
    let firstAfter = titles.firstIndex { $0.packet > dropped } ?? titles.count
    released = titles.enumerated().compactMap { index, entry in
      guard index >= firstAfter - 1 else { return nil }
      return ReleasedTitle(
        title: entry.title, at: start + max(.zero, entry.length - overlap), isRepeated: entry.packet < dropped)
    }
  }

  private mutating func endJoining() {
    endSearch()
    deadline = nil
    passed = (0, .zero)
    (step, waitingByteCount) = (.programme, 0)
    clock.end()
  }

  private mutating func endSearch() {
    (isJoining, isConfirming, isNumbered) = (false, false, false)
    (joinsByAudio, titles) = (false, [])
  }
}

// MARK: - Pre-roll

extension StreamSplicer {
  /// Maximum bytes that wait for the end of a pre-roll.
  private static let maxWaitingByteCount = 262_144
  private static let maxPassCount = 16
  /// Audio that must stay buffered while a pre-roll arrives.
  private static let reserve = StreamTime(seconds: 1)

  /// Follows the decision about the next packet: drops the packets before the end of a pre-roll, unless a stitch is
  /// proven.
  private mutating func follow(_ next: PrerollDetector.Step) {
    switch next {
    case .programme, .wait: step = next
    case .drop where step == .drop: break
    case .drop, .resume:
      guard passCount < Self.maxPassCount else { return step = .programme }
      if case .overlap(_, isProven: true) = stitcher.verdict(expecting: 0) { return }
      passPreroll()
      step = next == .drop ? .drop : .programme
    }
  }

  /// Drops all packets of the connection so far. The search starts again with the next packet.
  private mutating func passPreroll() {
    passCount += 1
    writer.unstage()
    stitcher.beginComparison(startsAnywhere: true)
    clock.passPreroll()
    titles = titles.last { $0.title.ad == nil }.map { [($0.title, 0, .zero)] } ?? []
    (deadline, passed, waitingByteCount) = (nil, (0, .zero), 0)
    (isConfirming, isNumbered) = (false, false)
  }

  /// Ends the search within a pre-roll: its rest is played, since no other audio is left. If the connection is over,
  /// nothing is published.
  private mutating func leavePreroll(isOver: Bool) -> Stitch? {
    guard !isOver else {
      endJoining()
      return nil
    }
    let lost = StreamTime(seconds: clock.silence)
    _ = publish(dropping: clock.count, isProven: false)
    return Stitch(overlap: .zero, lost: lost, isExact: false, isEstimated: true)
  }
}
