import AudioOutput
import Blocks
import Decoding
import Synchronization
import Units

/// The decode thread's work: waits until enough is held, then keeps the period ring full.
///
/// It wakes by its own timer and by packets that it waits for, never by the render thread.
struct DecodeLoop: ~Copyable {
  /// Where a programme stands.
  private enum Phase {
    /// Nothing is to be played.
    case idle
    /// Sound begins when so much is held.
    case filling
    case flowing
    /// The last period is in the ring.
    case ended
  }

  private let packets: PacketInput
  private var periods: PeriodWriter
  private var decoder: PacketDecoder
  private var converter: RateConverter?
  private var drift: DriftCompensator
  private let context: DecodeContext
  private var outbox: DecodeOutbox

  private var sinkPatience = SinkPatience()
  private var phase = Phase.idle
  /// What the step that was done last waits for.
  private var wait = DecodeWait.order
  private var epoch: UInt32 = 0
  private var toldFormat: DecodeNotice?
  private var firstRate: SampleRate?
  private var underruns: Int64 = 0
  private var gathering = Gathering()
  private var hasSounded = false
  private var gap = false
  private var undecoded = UndecodedRun()
  /// The seek that was obeyed last.
  private var seek: UInt32 = 0
  /// Where the last seek in this programme ended: what comes before only brings the decoder in tune.
  private var sought = StreamTime(ticks: .min)
  /// Where the next packet begins, unless the ring dropped it; nil where anything may come.
  private var expected: StreamTime?

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) {
    self.context = context
    outbox = DecodeOutbox(context.notices)
    packets = PacketInput(context.ring, room)
    periods = PeriodWriter(context.periods)
    decoder = PacketDecoder(context.depth, mp3: context.mp3Decoder, setups: context.setups)
    drift = DriftCompensator(context.board, context.ring, context.depth)
  }

  /// Works until it is told to end.
  mutating func run() {
    while !context.orders.isEnding {
      context.board.pointee.decodeBeat.add(1, ordering: .relaxed)
      let rest = outbox.flush(before: step())
      context.board.pointee.decodeWait.store(wait, ordering: .releasing)
      if rest > .zero { context.wake.flag.wait(rest, by: context.clock) }
    }
  }

  /// Does what can be done now; how long it may rest then.
  private mutating func step() -> Duration {
    let wanted = context.board.pointee.wantedEpoch.load(ordering: .acquiring)
    if wanted != epoch { begin(wanted) }
    if context.board.pointee.wantedSeek.load(ordering: .acquiring) != seek { obeySeek() }
    switch phase {
    case .idle, .ended:
      wait = epoch == 0 ? .order : .end
      return Duration(milliseconds: 1_000)
    case .filling: return fill()
    case .flowing: return flow()
    }
  }

  private mutating func begin(_ wanted: UInt32) {
    epoch = wanted
    // A seek in the programme that was left is none in this one.
    seek = context.board.pointee.wantedSeek.load(ordering: .acquiring)
    outbox.forget()
    decoder.reset()
    converter = nil
    drift.begin()
    (toldFormat, hasSounded, gap, undecoded) = (nil, false, false, UndecodedRun())
    (sought, expected, isSeeking) = (StreamTime(ticks: .min), nil, false)
    gathering.begin(again: false, at: now)
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    phase = wanted == 0 ? .idle : .filling
  }

  /// Goes where the listener wants to hear on: a little before it, so that the decoder is in tune when it gets there.
  private mutating func obeySeek() {
    periods.publish()
    seek = context.board.pointee.wantedSeek.load(ordering: .acquiring)
    let target = StreamTime(ticks: context.board.pointee.seekTarget.load(ordering: .relaxed))
    guard epoch != 0, packets.reader.writtenEpoch == epoch, let found = packets.reader.start(at: target) else { return }
    sought = context.board.pointee.seekIsExact.load(ordering: .relaxed) ? max(found, target) : found
    _ = packets.reader.seek(to: found - Self.runUp)
    decoder.reset()
    converter = nil
    drift.cut()
    expected = nil
    gap = hasSounded
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    if phase != .filling || gathering.again { phase = .flowing }
    isSeeking = true
    tell(.sought(at: max(.zero, sought), seek: seek))
  }

  /// What a decoder needs before its output is exact: MP3's bit reservoir reaches back over a dozen packets at most.
  static let runUp = StreamTime(seconds: 0.4)

  private var now: MonotonicTime { context.clock.now() }

  private mutating func fill() -> Duration {
    packets.reader.await(true)
    guard packets.reader.writtenEpoch == epoch else {
      wait = .programme
      return Duration(milliseconds: 500)
    }
    wait = .hold
    // Looked at before what is held: what is appended after it is seen in the next round.
    let hasEnded = packets.reader.hasEnded(epoch)
    let look = gathering.look(context.board, ahead: packets.reader.ahead(), hasEnded: hasEnded)
    guard gathering.isEnough(look, at: now) else { return Duration(milliseconds: 500) }
    packets.reader.await(false)
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    phase = .flowing
    sinkFillsUntil = now + Duration(milliseconds: 1_000)
    tell(.flowing)
    return .zero
  }

  /// How many periods one packet becomes at most where its rate is no more than doubled; `waitForRoom` waits for more.
  private static let mostPeriods = 4

  /// After so many packets, which may all be silent, the beat is told, and notices and orders are looked at.
  private static let mostAtOnce = 16

  /// Whether another packet may be decoded; room for one is kept for what is sought, so that it need not wait until
  /// the sink takes a period.
  private var hasRoomForPacket: Bool { periods.freeCount >= (isSeeking ? 1 : 2) * Self.mostPeriods }

  private mutating func flow() -> Duration {
    drift.look(at: now, epoch, seek)
    decoder.pass(to: now)
    for _ in 0..<Self.mostAtOnce where hasRoomForPacket {
      if isOutdated { return .zero }
      packets.reader.await(false)
      // Looked at first: what is appended after it is read in the next round.
      let isAll = packets.reader.hasEnded(epoch)
      guard let held = packets.next() else { return isAll ? end() : starve() }
      if held.epoch == epoch { decode(held) }
    }
    if hasRoomForPacket {
      // The last period stays open for the next packets, unless it is all there is.
      if periods.queuedCount == 0 { call() }
      return .zero
    }
    call()
    wait = .room
    // A period that came late before this has been made up for: it is no starvation of what comes.
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    // What was decoded before the seek is played, or dropped, in a moment.
    let isDropped = isSeeking || periods.beginsStale(for: epoch, after: seek)
    let usual = isDropped ? Duration(milliseconds: 4) : context.isFree ? .zero : rest
    return sinkPatience.rest(usual, taken: periods.takenCount, of: epoch, after: seek, at: now)
  }

  /// Half of what is decoded and wanted may sound meanwhile; nothing is known while the sink fills its buffers.
  private var rest: Duration {
    let queued = StreamTime(frames: periods.queuedFrames(of: epoch, after: seek), at: lastRate)
    return min(Duration(milliseconds: now < sinkFillsUntil ? 60 : 200), Duration(seconds: queued.seconds / 2))
  }

  /// Until then the sink may take more than it plays: a card's plug-ins hold far more than it says.
  private var sinkFillsUntil = MonotonicTime.zero

  /// Whether something else is wanted than what is being decoded.
  private var isOutdated: Bool {
    context.board.pointee.wantedEpoch.load(ordering: .acquiring) != epoch
      || context.board.pointee.wantedSeek.load(ordering: .acquiring) != seek
  }

  /// No period after the last seek is in the ring yet.
  private var isSeeking = false

  /// With less than twice this decoded, packets are awaited.
  private static let shortRest = Duration(milliseconds: 130)

  /// Nothing more is held: the ring lasts a while, packets are awaited, or there is silence already.
  private mutating func starve() -> Duration {
    call()
    wait = .packets
    let count = context.board.pointee.underruns.load(ordering: .acquiring)
    if count != underruns, !context.isFree {
      gathering.begin(again: true, at: now)
      phase = .filling
      gap = true
      tell(.starved)
      return .zero
    }
    if rest > Self.shortRest, !context.isFree { return rest }
    packets.reader.await(true)
    return Duration(milliseconds: 20)
  }

  /// The programme's end goes the way of its sound.
  private mutating func end() -> Duration {
    endConversion()
    drawTail()
    guard periods.freeCount > 0 else { return Duration(milliseconds: 20) }
    var last = Period()
    (last.epoch, last.flags, last.seek) = (epoch, .end, seek)
    last.rate = context.orders.outputRate(for: lastRate, first: firstRate ?? lastRate)
    last.start = StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed))
    periods.commit(last)
    phase = .ended
    call()
    return .zero
  }

  private var lastRate = SampleRate(44_100)

  /// What was to come next was dropped unheard: the ring wraps around a listener who paused.
  private mutating func leap(from expected: StreamTime, to start: StreamTime) {
    decoder.reset()
    gap = hasSounded
    tell(.leapt(from: expected, to: start, seek: seek))
  }

  private mutating func decode(_ held: HeldPacket) {
    if let expected, held.start != expected { leap(from: expected, to: held.start) }
    expected = held.start + held.info.duration
    if held.info.beginsFile { decoder.reset() }
    if held.info.followsGap && hasSounded { gap = true }
    let isWanted = held.start + held.info.duration > sought && held.info.mutedHead < held.info.headerFrames
    let pcm: DecodedPcm
    do throws(DecodeError) {
      pcm = try packets.decode(held, by: &decoder)
    } catch {
      guard isWanted else { return }
      context.board.pointee.badPackets.add(1, ordering: .relaxed)
      if hasSounded { gap = true } else if undecoded.isSpent(by: held.info) { tell(.undecodable) }
      return
    }
    let wanted = held.audible(of: pcm.frameCount, from: sought)
    guard isWanted, !wanted.isEmpty else { return }
    let first = firstRate ?? pcm.rate
    firstRate = first
    let output = context.orders.outputRate(for: pcm.rate, first: first)
    let format = DecodeNotice.format(
      codec: held.info.format.codec, rate: pcm.rate, channels: pcm.channels, output: output)
    if converter?.from != pcm.rate || converter?.to != output { endConversion() }
    if lastRate != output { drawTail() }
    if gap { drift.cut() }
    lastRate = output
    if format != toldFormat {
      toldFormat = format
      tell(format)
    }
    write(pcm, held, wanted, output)
    if decoder.hasLowered { context.board.pointee.badPackets.add(1, ordering: .relaxed) }
    let end = held.time(of: wanted.upperBound, in: pcm.frameCount)
    context.board.pointee.decoded.store(end.ticks, ordering: .relaxed)
    hasSounded = true
  }

  /// Puts those of the decoded frames that are wanted into the period ring, at the sink's rate.
  private mutating func write(
    _ pcm: DecodedPcm, _ held: HeldPacket, _ wanted: Range<Int>, _ output: SampleRate
  ) {
    var period = Period()
    (period.epoch, period.rate) = (epoch, output)
    (period.byteOffset, period.sequence) = (held.info.byteOffset, held.sequence)
    period.sourceChannels = Int32(pcm.channels)
    if converter?.from != pcm.rate || converter?.to != output {
      converter = pcm.rate == output ? nil : RateConverter(from: pcm.rate, to: output)
    }
    for part in PacketParts(pcm.frameCount, heard: wanted) {
      // A long packet becomes more periods than there are.
      guard waitForRoom() else { return }
      decoder.copy(pcm, from: part.frames.lowerBound, count: part.frames.count, to: periods.room)
      let (first, count) = (part.heard.lowerBound - part.frames.lowerBound, part.heard.count)
      guard count > 0 else { continue }
      if first > 0 { periods.room.update(from: periods.room + 2 * first, count: 2 * count) }
      let time = held.time(of: part.heard.lowerBound, in: pcm.frameCount)
      if context.isMono, pcm.channels > 1 { MonoMix.apply(periods.room, count: count) }
      if converter != nil {
        converter?.take(periods.room, count: count)
        guard drawOff(period, frameTime: time) else { return }
      } else {
        period.frameCount = Int32(count)
        period.start = time
        period.duration = held.time(of: part.heard.upperBound, in: pcm.frameCount) - time
        steer(period)
      }
    }
  }

  /// Lets out what the converter still holds, and ends it.
  private mutating func endConversion() {
    guard converter != nil else { return }
    converter?.takeTail()
    _ = drawOff(Period(), frameTime: StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed)))
    converter = nil
  }

  /// Draws converted frames off into periods; false where the programme is not wanted any more.
  private mutating func drawOff(_ pattern: Period, frameTime: StreamTime) -> Bool {
    guard let output = converter?.to else { return true }
    var period = pattern
    (period.epoch, period.rate, period.start) = (epoch, output, frameTime)
    while waitForRoom() {
      let count = converter?.next(periods.room) ?? 0
      guard count > 0 else { return true }
      period.frameCount = Int32(count)
      period.duration = StreamTime(frames: FrameCount(count), at: output)
      steer(period)
      period.start += period.duration
    }
    return false
  }

  /// Commits the period in `room`, made longer or shorter where the clocks ask for it.
  private mutating func steer(_ period: Period) {
    let pending = drift.pending(at: period.rate)
    guard drift.take(periods.room, count: Int(period.frameCount)) else { return commit(period) }
    drawSteered(period, pending)
  }

  /// Commits what comes out of the drift compensator; `pending` is what it held before it took the period.
  private mutating func drawSteered(_ pattern: Period, _ pending: StreamTime) {
    let end = pattern.start + pattern.duration
    var period = pattern
    period.start = pattern.start - pending
    while waitForRoom() {
      let count = drift.next(periods.room)
      guard count > 0 else { return }
      let reached = end - drift.pending(at: period.rate)
      period.frameCount = Int32(count)
      period.duration = reached - period.start
      commit(period)
      period.start = reached
    }
  }

  /// Lets out what the drift compensator still holds of a format that ends.
  private mutating func drawTail() {
    let pending = drift.pending(at: lastRate)
    guard pending > .zero else { return }
    drift.takeTail()
    var last = Period()
    (last.epoch, last.rate) = (epoch, lastRate)
    last.start = StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed))
    drawSteered(last, pending)
  }

  /// Waits until a converted period can be written: one packet may become more than were free. False where the
  /// programme is not wanted any more.
  private mutating func waitForRoom() -> Bool {
    while periods.freeCount <= 1 {
      guard !isOutdated, !context.orders.isEnding else { return false }
      context.board.pointee.decodeBeat.add(1, ordering: .relaxed)
      call()
      let (rest, taken) = (Duration(milliseconds: 5), periods.takenCount)
      context.clock.sleep(until: now + sinkPatience.rest(rest, taken: taken, of: epoch, after: seek, at: now))
    }
    return true
  }

  private mutating func commit(_ period: Period) {
    var period = period
    (period.flags, period.seek, gap) = (gap ? .followsGap : [], seek, false)
    periods.append(period)
    guard isSeeking else { return }
    periods.publish()
    context.board.pointee.readySeek.store(seek, ordering: .releasing)
    isSeeking = false
  }

  /// Lets the render thread see all that is decoded, and calls it where it rests.
  private mutating func call() {
    periods.publish()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let state = context.board.pointee.renderState.load(ordering: .relaxed)
    if state == .idle, periods.queuedCount > 0 { context.renderWake.flag.raise() }
  }

  private mutating func tell(_ notice: DecodeNotice) {
    outbox.send(notice, epoch: epoch)
    context.notified.flag.raise()
  }
}
