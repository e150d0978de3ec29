import AudioOutput
import Blocks
import Decoding
import Synchronization
import Units

/// Runs the decode thread: waits until the prebuffer is full, then keeps the period ring full.
///
/// The thread wakes by its own timer, for orders and for awaited packets. The render thread never wakes it.
struct DecodeLoop: ~Copyable {
  private enum Phase {
    case idle
    case filling
    case flowing
    case ended
  }

  private var reader: BlockReader
  /// Buffer of a packet: `MemoryBudget.decoderScratch` bytes. A long packet is copied and decoded in parts.
  private let room: UnsafeMutablePointer<UInt8>
  private var periods: PeriodWriter
  private var decoder: PacketDecoder
  private var converter: RateConverter?
  private var drift: DriftCompensator
  private let context: DecodeContext
  /// Nil without the memory for it.
  private var loops: LoopMeter?

  private var sinkPatience = SinkPatience()
  private var phase = Phase.idle
  private var wait = DecodeWait.order
  private var epoch: UInt32 = 0
  private var reportedFormat: DecodeNotice?
  private var firstRate: SampleRate?
  private var underruns: Int64 = 0
  private var gathering = PrebufferGate()
  private var hasSounded = false
  private var gap = false
  private var undecoded = UndecodedRun()
  private var seek: UInt32 = 0
  /// Goal of the last seek in this programme. Audio before it only prepares the decoder.
  private var seekGoal = StreamTime(ticks: .min)
  /// Expected start of the next packet; nil if any start is valid. A later start means that the ring dropped packets.
  private var expected: StreamTime?
  private var change: EncoderChange

  init(_ context: DecodeContext, room: UnsafeMutablePointer<UInt8>) {
    self.context = context
    reader = BlockReader(context.ring)
    self.room = room
    periods = PeriodWriter(context.periods)
    decoder = PacketDecoder(context.depth, mp3: context.mp3Decoder, setups: context.setups)
    drift = DriftCompensator(context.board, context.ring, context.depth)
    loops = context.loopMemory.map { LoopMeter($0, context.board) }
    change = EncoderChange(context)
  }

  mutating func run() {
    while !context.orders.isEnding {
      context.board.pointee.decodeBeat.add(1, ordering: .relaxed)
      let rest = step()
      context.board.pointee.decodeWait.store(wait, ordering: .releasing)
      if rest > .zero { context.wake.flag.wait(rest, by: context.clock) }
    }
  }

  /// Returns the time that the thread may sleep.
  private mutating func step() -> Duration {
    let wanted = context.board.pointee.wantedEpoch.load(ordering: .acquiring)
    if wanted != epoch { begin(wanted) }
    if context.board.pointee.wantedSeek.load(ordering: .acquiring) != seek { performSeek() }
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
    // A seek in the previous programme does not apply to this one.
    seek = context.board.pointee.wantedSeek.load(ordering: .acquiring)
    decoder.reset()
    loops?.restart()
    converter = nil
    drift.begin()
    reportedFormat = nil
    hasSounded = false
    gap = false
    undecoded = UndecodedRun()
    (seekGoal, expected, isSeeking) = (StreamTime(ticks: .min), nil, false)
    change.begin()
    gathering.begin(again: false, at: now)
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    phase = wanted == 0 ? .idle : .filling
  }

  /// Moves the reader to a packet before the goal, so that the decoder's output is exact at the goal.
  private mutating func performSeek() {
    periods.publish()
    seek = context.board.pointee.wantedSeek.load(ordering: .acquiring)
    let target = StreamTime(ticks: context.board.pointee.seekTarget.load(ordering: .relaxed))
    guard epoch != 0, reader.writtenEpoch == epoch, let found = reader.start(at: target) else { return }
    seekGoal = context.board.pointee.seekIsExact.load(ordering: .relaxed) ? max(found, target) : found
    _ = reader.seek(to: found - Self.runUp)
    decoder.reset()
    loops?.restart()
    converter = nil
    drift.reset()
    expected = nil
    change.forget()
    gap = hasSounded
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    if phase != .filling || gathering.isRefill { phase = .flowing }
    isSeeking = true
    report(.sought(at: max(.zero, seekGoal), seek: seek))
  }

  /// Audio to decode before the output is exact. An MP3 packet needs data from at most a dozen earlier packets.
  static let runUp = StreamTime(seconds: 0.4)

  private var now: MonotonicTime { context.clock.now() }

  private mutating func fill() -> Duration {
    reader.await(true)
    guard reader.writtenEpoch == epoch else {
      wait = .programme
      return Duration(milliseconds: 500)
    }
    wait = .hold
    // Read before the buffered duration: packets appended later are seen in the next iteration.
    let hasEnded = reader.hasEnded(epoch)
    let look = gathering.snapshot(context.board, ahead: reader.ahead(), hasEnded: hasEnded)
    guard gathering.isEnough(look, at: now) else { return Duration(milliseconds: 500) }
    reader.await(false)
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    phase = .flowing
    sinkFillsUntil = now + Duration(milliseconds: 1_000)
    report(.flowing)
    return .zero
  }

  /// Periods per packet if the sample rate at most doubles. For longer packets, `waitForRoom` waits.
  private static let maxPeriodsPerPacket = 4

  /// Packets, possibly silent, between two heartbeats and checks of `isEnding`.
  private static let maxPacketsPerIteration = 16

  /// True if another packet may be decoded. Leaves room for one packet, so that a seek need not wait for the sink.
  private var hasRoomForPacket: Bool { periods.freeCount >= (isSeeking ? 1 : 2) * Self.maxPeriodsPerPacket }

  private mutating func flow() -> Duration {
    drift.measure(at: now, epoch, seek)
    decoder.pass(to: now)
    change.notice(reader, expected, seekGoal, at: now)
    for _ in 0..<Self.maxPacketsPerIteration where hasRoomForPacket {
      if isOutdated { return .zero }
      if let rest = passChange() { return rest }
      reader.await(false)
      // Read first: packets appended later are seen in the next iteration.
      let isAll = reader.hasEnded(epoch)
      guard let held = reader.next(into: room) else { return isAll ? end() : starve() }
      if held.epoch == epoch { decode(held) }
    }
    if hasRoomForPacket {
      // The last period stays unpublished, so that later packets can extend it, unless no other period is queued.
      if periods.queuedCount == 0 { wakeRenderThread() }
      return .zero
    }
    wakeRenderThread()
    wait = .room
    // The ring is full again, so earlier underruns no longer indicate starvation.
    underruns = context.board.pointee.underruns.load(ordering: .acquiring)
    // After a seek, the periods decoded earlier soon leave the ring, so the thread sleeps only for a short time.
    let isDropped = isSeeking || periods.beginsStale(for: epoch, after: seek)
    let usual = change.work(epoch) || isDropped ? Duration(milliseconds: 4) : context.isFree ? .zero : rest
    return sinkPatience.rest(usual, taken: periods.consumedCount, of: epoch, after: seek, at: now)
  }

  /// Sleep time: half of the duration queued since the last seek, at most 200 ms. At most 60 ms while the sink fills
  /// its buffers.
  private var rest: Duration {
    min(Duration(milliseconds: now < sinkFillsUntil ? 60 : 200), Duration(seconds: queued.seconds / 2))
  }

  private var queued: StreamTime {
    StreamTime(frames: periods.queuedFrames(of: epoch, after: seek), at: lastRate)
  }

  /// Passes a change of the encoder. Returns the time to wait for the new audio; nil to continue.
  private mutating func passChange() -> Duration? {
    guard change.isPending else { return nil }
    switch change.pass(expected, epoch, queued: queued, &reader, &decoder, room) {
    case .proceed: return nil
    case .wait(let rest):
      wakeRenderThread()
      wait = .packets
      guard rest > .zero else { return rest }
      return sinkPatience.rest(rest, taken: periods.consumedCount, of: epoch, after: seek, at: now)
    case .move(let target):
      seekGoal = target.goal
      if reader.writtenEpoch == epoch { _ = reader.seek(to: target.start) }
      decoder.reset()
      expected = nil
      if target.followsGap { gap = hasSounded }
      if let notice = target.notice { report(notice) }
      return nil
    }
  }

  /// End of the time in which the sink may accept more than it plays. ALSA plug-ins buffer more than they report.
  private var sinkFillsUntil = MonotonicTime.zero

  private var isOutdated: Bool {
    context.board.pointee.wantedEpoch.load(ordering: .acquiring) != epoch
      || context.board.pointee.wantedSeek.load(ordering: .acquiring) != seek
  }

  /// True until the ring contains a period after the last seek.
  private var isSeeking = false

  /// If `rest` is longer, the thread sleeps; otherwise it awaits packets.
  private static let shortRest = Duration(milliseconds: 130)

  /// Handles an empty block ring: refills after an underrun, sleeps while the period ring lasts, or awaits packets.
  private mutating func starve() -> Duration {
    wakeRenderThread()
    wait = .packets
    let count = context.board.pointee.underruns.load(ordering: .acquiring)
    if count != underruns, !context.isFree {
      gathering.begin(again: true, at: now)
      phase = .filling
      gap = true
      report(.starved)
      return .zero
    }
    if rest > Self.shortRest, !context.isFree { return rest }
    reader.await(true)
    return Duration(milliseconds: 20)
  }

  private mutating func end() -> Duration {
    endConversion()
    drawTail()
    guard periods.freeCount > 0 else { return Duration(milliseconds: 20) }
    // The control thread stops the programme before the last period is played.
    if undecoded.isSilentProgramme { report(.noAudio) }
    var last = Period()
    (last.epoch, last.flags, last.seek) = (epoch, .end, seek)
    last.rate = context.orders.outputRate(for: lastRate, first: firstRate ?? lastRate)
    last.start = StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed))
    periods.commit(last)
    phase = .ended
    wakeRenderThread()
    return .zero
  }

  private var lastRate = SampleRate(44_100)

  /// Reports a gap: the ring overwrote packets that a paused listener had not played.
  private mutating func leap(from expected: StreamTime, to start: StreamTime) {
    decoder.reset()
    gap = hasSounded
    report(.leapt(from: expected, to: start, seek: seek))
  }

  private mutating func decode(_ held: HeldPacket) {
    if let expected, held.start != expected { leap(from: expected, to: held.start) }
    expected = held.start + held.info.duration
    if held.info.beginsFile {
      if undecoded.isSilentProgramme { report(.noAudio) }
      decoder.reset()
    }
    if held.info.followsGap && hasSounded { gap = true }
    loops?.measure(room, held)
    let isWanted = held.start + held.info.duration > seekGoal && held.info.mutedHead < held.info.headerFrames
    if held.info.joins, isWanted, !change.hasPlayed(held.start) {
      gap = hasSounded
      if let notice = change.skip(at: held.start) { report(notice) }
    }
    let pcm: DecodedPcm
    do throws(DecodeError) {
      pcm = try decoder.decode(room, held.info, firstCount: held.firstByteCount) { reader.more(into: $0) }
    } catch {
      undecoded.record(frameCount: 0)
      guard isWanted else { return }
      context.board.pointee.badPackets.add(1, ordering: .relaxed)
      if hasSounded { gap = true } else if undecoded.isSpent(by: held.info) { report(.undecodable) }
      return
    }
    undecoded.record(frameCount: pcm.frameCount)
    let wanted = held.audible(of: pcm.frameCount, from: seekGoal)
    guard isWanted, !wanted.isEmpty else { return }
    let first = firstRate ?? pcm.rate
    firstRate = first
    let output = context.orders.outputRate(for: change.keptRate ?? pcm.rate, first: first)
    let format = DecodeNotice.format(
      codec: held.info.format.codec, rate: pcm.rate, channels: pcm.channels, output: output)
    if converter?.from != pcm.rate || converter?.to != output { endConversion() }
    if lastRate != output { drawTail() }
    if gap { drift.reset() }
    lastRate = output
    if format != reportedFormat {
      reportedFormat = format
      report(format)
    }
    write(pcm, held, wanted, output)
    if decoder.hasLowered { context.board.pointee.badPackets.add(1, ordering: .relaxed) }
    let end = held.time(of: wanted.upperBound, in: pcm.frameCount)
    context.board.pointee.decoded.store(end.ticks, ordering: .relaxed)
    if !hasSounded { wakeRenderThread() }
    hasSounded = true
  }

  private mutating func write(
    _ pcm: DecodedPcm, _ held: HeldPacket, _ wanted: Range<Int>, _ output: SampleRate
  ) {
    var period = Period()
    (period.epoch, period.rate) = (epoch, output)
    (period.byteOffset, period.sequence) = (held.info.byteOffset, held.sequence)
    period.sourceChannels = Int32(pcm.channels)
    if converter?.from != pcm.rate || converter?.to != output {
      converter = pcm.rate == output ? nil : RateConverter(from: pcm.rate, to: output)
      change.prime(&converter)
    }
    for part in PacketParts(pcm.frameCount, heard: wanted) {
      // A long packet may need more periods than the ring has.
      guard waitForRoom() else { return }
      decoder.copy(pcm, from: part.frames.lowerBound, count: part.frames.count, to: periods.room)
      let (first, count) = (part.heard.lowerBound - part.frames.lowerBound, part.heard.count)
      guard count > 0 else { continue }
      if first > 0 { periods.room.update(from: periods.room + 2 * first, count: 2 * count) }
      let time = held.time(of: part.heard.lowerBound, in: pcm.frameCount)
      if context.isMono, pcm.channels > 1 { MonoMix.apply(periods.room, count: count) }
      loops?.measure(periods.room, count, at: pcm.rate, of: held.info.format.codec)
      change.mix(into: periods.room, count: count, at: pcm.rate)
      if converter != nil {
        converter?.consume(periods.room, count: count)
        guard drawOff(period, frameTime: time) else { return }
      } else {
        period.frameCount = Int32(count)
        period.start = time
        period.duration = held.time(of: part.heard.upperBound, in: pcm.frameCount) - time
        steer(period)
      }
    }
  }

  private mutating func endConversion() {
    guard converter != nil else { return }
    change.end(&converter)
    _ = drawOff(Period(), frameTime: StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed)))
    converter = nil
  }

  /// Moves converted frames into periods. Returns false if `waitForRoom` does.
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

  /// Commits the period in `room`, after the drift compensator changed its length if needed.
  private mutating func steer(_ period: Period) {
    let pending = drift.pending(at: period.rate)
    guard drift.consume(periods.room, count: Int(period.frameCount)) else { return commit(period) }
    drawSteered(period, pending)
  }

  /// Commits the drift compensator's output. `pending`: duration in the compensator before this period.
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

  private mutating func drawTail() {
    let pending = drift.pending(at: lastRate)
    guard pending > .zero else { return }
    drift.consumeTail()
    var last = Period()
    (last.epoch, last.rate) = (epoch, lastRate)
    last.start = StreamTime(ticks: context.board.pointee.decoded.load(ordering: .relaxed))
    drawSteered(last, pending)
  }

  /// Waits until two periods are free. Returns false if another programme or seek, or the thread's end, is requested.
  private mutating func waitForRoom() -> Bool {
    while periods.freeCount <= 1 {
      guard !isOutdated, !context.orders.isEnding else { return false }
      context.board.pointee.decodeBeat.add(1, ordering: .relaxed)
      wakeRenderThread()
      let (rest, taken) = (Duration(milliseconds: 5), periods.consumedCount)
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
    context.renderWake.flag.raise()
    isSeeking = false
  }

  /// Publishes all decoded periods, and wakes the render thread if it awaits them.
  private mutating func wakeRenderThread() {
    periods.publish()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let state = context.board.pointee.renderState.load(ordering: .relaxed)
    if state == .idle || state == .silent, periods.queuedCount > 0 { context.renderWake.flag.raise() }
  }

  private func report(_ notice: DecodeNotice) { context.notices.append(notice, epoch: epoch) }
}
